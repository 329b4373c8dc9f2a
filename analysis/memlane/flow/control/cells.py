"""Flags that are kept in variables: what is stored in local memory is what is loaded there (slots.py).

A flag is a condition or a constant; a number that is only ever set to constants is one, too. Whatever else is counted
in a variable is not followed: each round of a loop would have a number of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memlane.flow.control.places import Place
from memlane.flow.control.slots import Access, accesses_of, variable_of
from memlane.flow.scalars.scalar import Expr, operands
from memlane.syntax.tree.tree import Op, Value

if TYPE_CHECKING:
    from memlane.flow.control.graph import Graph

_FLAGS = ("i1", "i8", "i16", "i32")
_MOST = 64
"""Stores to one variable."""
_TRUTHS = ("cmpi", "andi", "ori", "xori", "select")


class Cell(NamedTuple):
    """A load of a flag from a variable, or a store to it.

    Args:
        name: stands for the variable: a value that no op and no block defines.
        value: what is loaded or stored.
        stores: the ops that store to the variable, with what they store; none: this is a store itself.
    """

    name: Value
    value: Value
    stores: tuple[tuple[Op, Value], ...] = ()


class Cells:
    """The variables of one function that hold flags, each found when a load of it is asked for."""

    __slots__ = ("_known", "_seen")

    def __init__(self) -> None:
        self._known: dict[Op, Cell] = {}
        self._seen: set[Value] = set()

    def at(self, op: Op) -> Cell | None:
        """What an op does, of those that have been found."""
        return self._known.get(op)

    def of(self, graph: Graph, load: Op) -> Cell | None:
        """What a load of a number does; None where it is none of a flag from a variable."""
        if len(load.results) != 1 or load.results[0].type not in _FLAGS or load.regions:
            return None
        model = graph.model(load)
        memory = variable_of(graph, load) if model is not None and model.loaded and model.read else None
        if memory is not None and memory not in self._seen:
            self._seen.add(memory)
            places: dict[Place, list[Access]] = {}
            for one in accesses_of(graph, memory):
                places.setdefault(one.place, []).append(one)
            for accesses in places.values():
                self._find(graph, accesses)
        return self._known.get(load)

    def _find(self, graph: Graph, accesses: list[Access]) -> None:
        """Note what is done to one place."""
        type_ = accesses[0].value.type
        loaded = {one.value for one in accesses if one.value in one.address.op.results}
        stores = tuple([(one.address.op, one.value) for one in accesses if one.value not in loaded])
        if type_ not in _FLAGS or not stores or len(stores) > _MOST:
            return
        if not _flags([graph.expression(value) for _, value in stores], loaded, type_ == "i8"):
            return
        name = Value(accesses[0].address.name, accesses[0].address.span, type_, 0)
        for one in accesses:
            self._known[one.address.op] = Cell(name, one.value, stores if one.value in loaded else ())


def has_cells(graph: Graph) -> bool:
    """Whether a function keeps flags in variables."""
    models = [(name, graph.models.of(name)) for name in graph.named]
    loading = [name for name, model in models if model is not None and model.loaded and model.read]
    return any(graph.cells.of(graph, op) is not None for name in loading for op in graph.named[name])


def _flags(stored: list[Expr], loaded: set[Value], small: bool) -> bool:
    """Whether all that is stored are constants (of a byte, 0 and 1), conditions, or what was loaded there."""
    if all(one[0] == "const" for one in stored):
        return not small or all(one[1] in (0, 1) for one in stored)
    return all(_is_flag(one, loaded) for one in stored)


def _is_flag(expr: Expr, loaded: set[Value]) -> bool:
    if expr[0] == "const":
        return expr[1] in (0, 1)
    if expr[0] == "leaf":
        return expr[1].type == "i1" or expr[1] in loaded
    return expr[0] == "cmpi" or (expr[0] in _TRUTHS and all(_is_flag(one, loaded) for one in operands(expr)))
