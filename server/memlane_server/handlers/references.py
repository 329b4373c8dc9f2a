"""textDocument/references."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide.references import references
from memlane.ide.snapshot import File
from memlane_server.convert import Converter

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_REFERENCES


async def handle(ls: MemlaneServer, params: types.ReferenceParams) -> list[types.Location] | None:
    """All mentions of the name at the position."""

    def work(file: File, convert: Converter) -> list[types.Location] | None:
        spans = references(file, convert.offset(params.position), params.context.include_declaration)
        return [convert.location(file.uri, span) for span in spans]

    return await ls.ask(params.text_document.uri, work, language=True)
