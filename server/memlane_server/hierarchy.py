"""Items of call and type hierarchies, and back."""

from __future__ import annotations

from lsprotocol import types

from memlane.ide.calls import Callable
from memlane.ide.snapshot import File
from memlane.ide.views import NamedView
from memlane_server.convert import Converter


def call_item(file: File, convert: Converter, function: Callable) -> types.CallHierarchyItem:
    """A function; what it does to buffers is its detail."""
    where, name = convert.range(function.span), convert.range(function.name_span)
    return types.CallHierarchyItem(
        function.name, types.SymbolKind.Function, file.uri, where, name, detail=function.detail or None
    )


def view_item(file: File, convert: Converter, view: NamedView) -> types.TypeHierarchyItem:
    """A name of memory; its type and what defines it are its detail."""
    where = convert.range(view.span)
    detail = f"{view.type}, {view.by}" if view.type else view.by
    return types.TypeHierarchyItem(view.name, types.SymbolKind.Variable, file.uri, where, where, detail=detail)


def place_of(item: types.CallHierarchyItem | types.TypeHierarchyItem, convert: Converter) -> int:
    """The offset that an item was made for, in the document as it is now."""
    return convert.offset(item.selection_range.start)
