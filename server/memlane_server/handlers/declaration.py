"""textDocument/declaration: where the memory comes from, through all views."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide.buffer_names import declarations
from memlane.ide.snapshot import File
from memlane_server.convert import Converter

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_DECLARATION


async def handle(ls: MemlaneServer, params: types.DeclarationParams) -> list[types.Location] | None:
    """Where the buffers that the name at the position may stand for are made."""

    def work(file: File, convert: Converter) -> list[types.Location]:
        return [convert.location(file.uri, span) for span in declarations(file, convert.offset(params.position))]

    return await ls.ask(params.text_document.uri, work)
