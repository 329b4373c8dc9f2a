"""textDocument/documentLink: places in other files. A link is followed when the user clicks, never before."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide.file_mentions import FileMention, links
from memlane.ide.snapshot import File
from memlane_server.convert import Converter
from memlane_server.mentioned import folder_of, target

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_DOCUMENT_LINK
OPTIONS = types.DocumentLinkOptions(resolve_provider=False)


async def handle(ls: MemlaneServer, params: types.DocumentLinkParams) -> list[types.DocumentLink] | None:
    """The places that the document mentions; relative paths count from its folder."""
    folder = folder_of(ls.session, params.text_document.uri)

    def work(file: File, convert: Converter) -> list[types.DocumentLink]:
        return [_link(convert, link, folder) for link in links(file)]

    return await ls.ask(params.text_document.uri, work, language=True)


def _link(convert: Converter, link: FileMention, folder: Path | None) -> types.DocumentLink:
    place = f"{target(link, folder)}#L{link.line},{link.column}"
    return types.DocumentLink(convert.range(link.span), place, f"{link.path}, line {link.line}")
