"""typeHierarchy/supertypes: what a name is a view of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memlane.ide import views
from memlane.ide.snapshot import File
from memlane_server.convert import Converter
from memlane_server.hierarchy import place_of, view_item

if TYPE_CHECKING:
    from memlane_server.server import MemlaneServer

METHOD = types.TYPE_HIERARCHY_SUPERTYPES


async def handle(
    ls: MemlaneServer, params: types.TypeHierarchySupertypesParams
) -> list[types.TypeHierarchyItem] | None:
    """What a name is a view of."""

    def work(file: File, convert: Converter) -> list[types.TypeHierarchyItem]:
        return [view_item(file, convert, view) for view in views.above(file, place_of(params.item, convert))]

    return await ls.ask(params.item.uri, work)
