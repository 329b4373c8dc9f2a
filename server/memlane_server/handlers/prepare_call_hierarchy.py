"""textDocument/prepareCallHierarchy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide import calls
from memlane.ide.snapshot import File
from memlane_server.convert import Converter
from memlane_server.hierarchy import call_item

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY


async def handle(ls: MemlaneServer, params: types.CallHierarchyPrepareParams) -> list[types.CallHierarchyItem] | None:
    """The function that is named at the position, or the one around it."""

    def work(file: File, convert: Converter) -> list[types.CallHierarchyItem] | None:
        found = calls.function_here(file, convert.offset(params.position))
        return [call_item(file, convert, found)] if found is not None else None

    return await ls.ask(params.text_document.uri, work)
