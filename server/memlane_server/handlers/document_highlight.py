"""textDocument/documentHighlight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide.highlight import MentionAccess, highlights
from memlane.ide.snapshot import File
from memlane_server.client_view import Builds
from memlane_server.convert import Converter

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT

KINDS = {
    MentionAccess.NAME: types.DocumentHighlightKind.Text,
    MentionAccess.READ: types.DocumentHighlightKind.Read,
    MentionAccess.WRITE: types.DocumentHighlightKind.Write,
}


async def handle(ls: MemlaneServer, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight] | None:
    """All mentions of the name at the position, and what they do."""

    def work(file: File, convert: Converter) -> list[types.DocumentHighlight] | None:
        found = highlights(file, convert.offset(params.position))
        return [types.DocumentHighlight(convert.range(one.span), KINDS[one.access]) for one in found]

    return await ls.ask(params.text_document.uri, work, seen=params.position, builds=Builds.ANY)
