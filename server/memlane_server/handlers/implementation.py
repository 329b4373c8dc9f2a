"""textDocument/implementation: what frees the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide.buffer_names import deallocations
from memlane.ide.snapshot import File
from memlane_server.convert import Converter

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_IMPLEMENTATION


async def handle(ls: MemlaneServer, params: types.ImplementationParams) -> list[types.Location] | None:
    """The operations that free what the name at the position may stand for."""

    def work(file: File, convert: Converter) -> list[types.Location]:
        return [convert.location(file.uri, span) for span in deallocations(file, convert.offset(params.position))]

    return await ls.ask(params.text_document.uri, work)
