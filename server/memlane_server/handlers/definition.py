"""textDocument/definition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide.definition import definition
from memlane.ide.snapshot import File
from memlane_server.client_view import Builds
from memlane_server.convert import Converter

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_DEFINITION


async def handle(ls: MemlaneServer, params: types.DefinitionParams) -> types.Location | None:
    """Where the name at the position is defined."""

    def work(file: File, convert: Converter) -> types.Location | None:
        span = definition(file, convert.offset(params.position))
        return convert.location(file.uri, span) if span else None

    return await ls.ask(params.text_document.uri, work, language=True, builds=Builds.ONE)
