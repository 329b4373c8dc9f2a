"""textDocument/linkedEditingRange: a name is typed in all places at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide.rename import places
from memlane.ide.snapshot import File
from memlane_server.convert import Converter

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_LINKED_EDITING_RANGE
WORD = r"[%^][\w$.-]*"


async def handle(ls: MemlaneServer, params: types.LinkedEditingRangeParams) -> types.LinkedEditingRanges | None:
    """The mentions of the value or block at the position."""

    def work(file: File, convert: Converter) -> types.LinkedEditingRanges | None:
        found = places(file, convert.offset(params.position))
        return types.LinkedEditingRanges([convert.range(span) for span in found], WORD) if len(found) > 1 else None

    return await ls.ask(params.text_document.uri, work, language=True)
