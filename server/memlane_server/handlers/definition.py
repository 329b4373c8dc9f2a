"""textDocument/definition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide.definition import definition
from memlane.ide.file_mentions import mention_at
from memlane.ide.snapshot import File
from memlane_server.client_view import Builds
from memlane_server.convert import Converter
from memlane_server.mentioned import folder_of, target

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_DEFINITION


async def handle(ls: MemlaneServer, params: types.DefinitionParams) -> types.Location | None:
    """Where the name at the position is defined; of a location in another file, there."""

    folder = folder_of(ls.session, params.text_document.uri)

    def work(file: File, convert: Converter) -> types.Location | None:
        offset = convert.offset(params.position)
        mention = mention_at(file, offset)
        if mention is not None:
            place = types.Position(max(0, mention.line - 1), max(0, mention.column - 1))
            return types.Location(target(mention, folder), types.Range(place, place))
        span = definition(file, offset)
        return convert.location(file.uri, span) if span else None

    return await ls.ask(params.text_document.uri, work, language=True, builds=Builds.ONE)
