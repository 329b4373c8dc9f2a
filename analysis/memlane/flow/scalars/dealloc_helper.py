"""Reading lowered deallocations: the flags that upstream's `@dealloc_helper` computes, as expressions.

`-bufferization-lower-deallocations` turns a general `bufferization.dealloc` into a call of a function that gets
arrays of pointers and conditions and fills arrays of flags. A flag loaded from such an array means (MLIR,
`BufferizationOps.td`, `bufferization.dealloc`): the condition of memref i holds and it aliases no retained memref
and no memref before it; or: some memref that aliases retained value r has its condition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from memlane.dialects.model import ViewKind
from memlane.flow.cfg.callee import HELPER_ARRAYS
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.ops_by_name import ops_of
from memlane.flow.cfg.scc import reachable
from memlane.flow.derived import query
from memlane.flow.effects.plain_accesses import subscripts
from memlane.flow.effects.written_effects import written_views
from memlane.flow.symbolic.scalar import FALSE, TRUE, Expr, balanced
from memlane.integers import numeral
from memlane.lazy import regex
from memlane.syntax.tree.tree import Op, Use, Value

HELPER = "dealloc_helper"
"""The scalar function (`compute`) of the model of upstream's helper."""

_INDEX = regex(r"\[\s*(\d+)\s*\]")
_MEMREFS, _RETAINED, _CONDITIONS, _TO_FREE, _OWNERSHIP = range(HELPER_ARRAYS)
_DESCRIPTOR = 5
"""Operands that a lowered array of one dimension is passed as: two pointers, an offset, a size, a stride."""


def loaded_flag(graph: Graph, load: Op, scalar: Callable[[Value], Expr]) -> Expr | None:
    """What a flag loaded from an array of a helper says; None when it is something else.

    Args:
        scalar: gives the expression of a value.
    """
    return _HelperArrays(graph, scalar).loaded(load) if query(graph, _is_helped) else None


class _HelperArrays:
    """Reads the arrays of the helper's calls. `scalar`: gives the expression of a value."""

    def __init__(self, graph: Graph, scalar: Callable[[Value], Expr]) -> None:
        self._graph, self._scalar = graph, scalar

    def loaded(self, load: Op) -> Expr | None:
        """What a flag loaded from an array of a helper says; None when it is something else."""
        pointer = load.operands[0].value if load.operands else None
        index = self._position(load, 0) if pointer is not None else None
        if pointer is None or index is None:
            return None
        array = self._base(pointer)
        for use in self._uses(array):
            width = _width(self._graph, use.op)
            if width and use.index // width in (_TO_FREE, _OWNERSHIP):
                return self._flag(use.op, width, use.index // width, index)
        return None

    def _position(self, op: Op, at: int) -> int | None:
        """The constant position in an array that `op` names after operand `at`, or that the pointer there was made
        with."""
        address = op.operands[at]
        written = subscripts(self._graph, address)
        if written is None or len(written) > 1:
            return None
        if written:
            return self._constant(written[0])
        made = address.value.op if address.value is not None else None
        if made is None or not any(view.kind is ViewKind.PART for view in written_views(self._graph, made)):
            return 0  # the array's own pointer
        if len(made.operands) > 1:
            return self._constant(made.operands[-1].value)
        number = _INDEX.search(self._graph.source, made.name_span.end, made.span.end)
        return numeral(number[1]) if number is not None else None

    def _constant(self, value: Value | int | None) -> int | None:
        if isinstance(value, int):
            return value
        index = self._scalar(value) if value is not None else None
        return index[1] if index is not None and index[0] == "const" else None

    def _flag(self, call: Op, width: int, which: int, index: int) -> Expr | None:
        pointers = [call.operands[array * width + (width > 1)] for array in range(HELPER_ARRAYS)]
        arrays = [self._elements(use.value) if use.value is not None else {} for use in pointers]
        memrefs, retained, conditions = (arrays[i] for i in (_MEMREFS, _RETAINED, _CONDITIONS))
        if which == _OWNERSHIP:
            if index not in retained:
                return None
            same: list[Expr] = [("cmpi", "eq", pointer, retained[index]) for pointer in memrefs.values()]
            given = [conditions.get(i, TRUE) for i in memrefs]
            owned: list[Expr] = [("andi", flag, one) for flag, one in zip(given, same, strict=True)]
            return balanced("ori", [FALSE, *owned])
        if index not in memrefs or index not in conditions:
            return None
        others = [*retained.values(), *(pointer for i, pointer in memrefs.items() if i < index)]
        apart: list[Expr] = [("cmpi", "ne", memrefs[index], other) for other in others]
        return balanced("andi", [conditions[index], *apart])

    def _elements(self, array: Value) -> dict[int, Expr]:
        """What is stored at the constant positions of an array, in order; positions stored to twice are left out."""
        found: dict[int, Expr] = {}
        twice: set[int] = set()
        for use in self._uses(self._base(array)):
            store = use.op
            value = store.operands[0].value
            if use.index != 1 or len(store.operands) not in (2, 3) or store.results or value is None:
                continue
            index = self._position(store, 1)
            if index is not None:
                twice |= {index} & found.keys()
                found[index] = self._scalar(value)
        return {index: found[index] for index in sorted(found.keys() - twice)}

    def _base(self, value: Value) -> Value:
        """The array that `value` is a cast of."""
        seen: set[Value] = set()  # where control never comes it may be one of itself
        while value.op is not None and value not in seen:
            seen.add(value)
            views = written_views(self._graph, value.op)
            if len(views) != 1 or len(views[0].sources) != 1:
                return value
            value = views[0].sources[0]
        return value

    def _uses(self, array: Value) -> Iterator[Use]:
        """The uses of an array and of its casts."""
        casts = reachable(
            [array], lambda one: (view.result for use in one.uses for view in written_views(self._graph, use.op))
        )
        return (use for one in casts for use in one.uses)


def _is_helped(graph: Graph) -> bool:
    """Whether a function calls the helper."""
    return any(_width(graph, op) for op in ops_of(graph, lambda model: model.call is not None))


def _width(graph: Graph, call: Op) -> int:
    """How many operands of a helper's call stand for one array; 0 where it is no such call."""
    known = graph.models.functions.get(call.symbol) if call.symbol is not None else None
    if known is None or known.compute != HELPER:
        return 0
    return next((width for width in (1, _DESCRIPTOR) if len(call.operands) == HELPER_ARRAYS * width), 0)
