"""textDocument/prepareTypeHierarchy: buffers and their views stand for types and their subtypes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide import views
from memlane.ide.snapshot import File
from memlane_server.convert import Converter
from memlane_server.hierarchy import view_item

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TEXT_DOCUMENT_PREPARE_TYPE_HIERARCHY


async def handle(ls: MemlaneServer, params: types.TypeHierarchyPrepareParams) -> list[types.TypeHierarchyItem] | None:
    """The name of memory at the position."""

    def work(file: File, convert: Converter) -> list[types.TypeHierarchyItem] | None:
        found = views.view_here(file, convert.offset(params.position))
        return [view_item(file, convert, found)] if found is not None else None

    return await ls.ask(params.text_document.uri, work)
