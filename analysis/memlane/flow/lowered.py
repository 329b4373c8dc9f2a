"""Reading lowered deallocations: the flags that upstream's `@dealloc_helper` computes, as expressions.

`-bufferization-lower-deallocations` turns a general `bufferization.dealloc` into a call of a function that gets
arrays of pointers and conditions and fills arrays of flags. A flag loaded from such an array means (MLIR,
`BufferizationOps.td`, `bufferization.dealloc`): the condition of memref i holds and it aliases no retained memref
and no memref before it; or: some memref that aliases retained value r has its condition.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memlane.flow.scalar import FALSE, TRUE, Expr
from memlane.syntax.tree import Op, Use, Value

if TYPE_CHECKING:
    from memlane.flow.graph import Graph

HELPER = "dealloc_helper"
"""The scalar function (`compute`) of the model of upstream's helper."""

_MEMREFS, _RETAINED, _CONDITIONS, _TO_FREE, _OWNERSHIP = range(5)


def loaded_flag(graph: Graph, load: Op) -> Expr | None:
    """What a flag loaded from an array of a helper says; None when it is something else."""
    if len(load.operands) != 2 or load.operands[0].value is None or load.operands[1].value is None:
        return None
    index = graph.expression(load.operands[1].value)
    if index[0] != "const":
        return None
    array = _base(graph, load.operands[0].value)
    for use in _uses(graph, array):
        model = graph.model(use.op)
        if model is not None and model.compute == HELPER and use.index in (_TO_FREE, _OWNERSHIP):
            return _flag(graph, use.op, use.index, index[1])
    return None


def _flag(graph: Graph, call: Op, which: int, index: int) -> Expr | None:
    arrays = [_elements(graph, use.value) if use.value is not None else {} for use in call.operands]
    memrefs, retained, conditions = (arrays[i] for i in (_MEMREFS, _RETAINED, _CONDITIONS))
    if which == _OWNERSHIP:
        owned = FALSE
        for i, pointer in memrefs.items():
            same: Expr = ("cmpi", "eq", pointer, retained.get(index, pointer))
            owned = ("ori", owned, ("andi", conditions.get(i, TRUE), same))
        return owned if index in retained else None
    if index not in memrefs or index not in conditions:
        return None
    flag = conditions[index]
    others = [*retained.values(), *(pointer for i, pointer in memrefs.items() if i < index)]
    for other in others:
        flag = ("andi", flag, ("cmpi", "ne", memrefs[index], other))
    return flag


def _elements(graph: Graph, array: Value) -> dict[int, Expr]:
    """What is stored at the constant positions of an array, in order; positions stored to twice are left out."""
    found: dict[int, Expr] = {}
    twice: set[int] = set()
    for use in _uses(graph, _base(graph, array)):
        store = use.op
        values = [u.value for u in store.operands]
        if use.index != 1 or len(values) != 3 or store.results or values[0] is None or values[2] is None:
            continue
        index = graph.expression(values[2])
        if index[0] == "const":
            twice |= {index[1]} & found.keys()
            found[index[1]] = graph.expression(values[0])
    return {index: found[index] for index in sorted(found.keys() - twice)}


def _base(graph: Graph, value: Value) -> Value:
    """The array that `value` is a cast of."""
    while value.op is not None:
        views = graph.effects(value.op).views
        if len(views) != 1 or len(views[0].sources) != 1:
            return value
        value = views[0].sources[0]
    return value


def _uses(graph: Graph, array: Value) -> Iterator[Use]:
    """The uses of an array and of its casts."""
    pending = [array]
    while pending:
        for use in pending.pop().uses:
            yield use
            pending.extend(view.result for view in graph.effects(use.op).views)
