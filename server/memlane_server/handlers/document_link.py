"""textDocument/documentLink: places in other files. A link is followed when the user clicks, never before."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.uris import from_fs_path

from memlane.ide.file_mentions import FileMention, links
from memlane.ide.snapshot import File
from memlane_server.convert import Converter
from memlane_server.project import file_path

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_DOCUMENT_LINK
OPTIONS = types.DocumentLinkOptions(resolve_provider=False)


async def handle(ls: MemlaneServer, params: types.DocumentLinkParams) -> list[types.DocumentLink] | None:
    """The places that the document mentions; relative paths count from its folder."""
    path = file_path(params.text_document.uri)
    folder = path.parent if path is not None else ls.session.project.root

    def work(file: File, convert: Converter) -> list[types.DocumentLink]:
        return [_link(convert, link, folder) for link in links(file)]

    return await ls.ask(params.text_document.uri, work, language=True)


def _link(convert: Converter, link: FileMention, folder: Path | None) -> types.DocumentLink:
    path = (folder or Path.cwd()) / link.path
    target = f"{from_fs_path(str(path)) or path.as_posix()}#L{link.line},{link.column}"
    return types.DocumentLink(convert.range(link.span), target, f"{link.path}, line {link.line}")
