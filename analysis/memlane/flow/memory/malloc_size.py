"""How many bytes lowered code asks for: what `malloc` is given, as an `Amount` in the scalars of its function.

Lowering writes the size of n elements as the address of the nth behind null (`llvm.getelementptr %null[%n]`).
"""

from __future__ import annotations

from memlane.dialects.model import Alloc
from memlane.dialects.select import select
from memlane.flow.cfg.graph import Graph
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.limits import MAX_PRODUCT_STEPS, MAX_READ_TEXT
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.symbolic.amounts import Amount, number, product
from memlane.flow.symbolic.lowered_sizes import stored
from memlane.flow.symbolic.scalar import Expr
from memlane.integers import numeral
from memlane.lazy import regex
from memlane.syntax.tree.tree import Op, Value

_COUNTED = regex(r"%[\w$.-]+(?:#\d+)?\s+x\s+([^{:]+?)\s*[{:]")
"""`%n x f32 : (i64) -> !llvm.ptr`, with attributes or without."""
_INDEX = regex(r"\[\s*(-?\d+|%[\w$.-]+(?:#\d+)?)\s*\]")
_RAW = regex(r"array<i32:\s*(-?\d+)\s*>")
_NOTHING = Alloc()
_DYNAMIC = str(-(1 << 31))
"""Written for an index that an operand gives (`LLVM::GEPOp::kDynamicIndex`)."""


def requested(graph: Graph, value: Value) -> Amount | None:
    """Bytes of the buffer that an op makes, of which `value` is the first name; None where it does not say."""
    op = value.op
    model = graph.model(op) if op is not None else None
    allocs = effects_at(graph, op).allocs if op is not None else ()
    alloc = next((alloc for made, alloc in allocs if made is value), _NOTHING)
    counts = alloc.bytes or alloc.elements
    if op is None or model is None or counts is None:
        return None
    reading = _SumReading(graph)
    found: Amount | None = number(1)
    for use in select(op, counts, model):
        found = _times(found, reading.amount(scalar_of(graph, use.value)) if use.value is not None else None)
    if found is None or alloc.elements is None:
        return found
    element = stored(_element(graph, op) or "")
    return found.times(element.size) if element is not None else None


class _SumReading:
    """Takes one number apart, in so many steps as are `left`: a chain of sums of twice the same is a power."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._left = MAX_PRODUCT_STEPS

    def amount(self, expr: Expr) -> Amount | None:
        """A number of bytes or elements as sums of products; None where that is not known."""
        self._left -= 1
        if self._left < 0:
            return None
        if expr[0] == "const":
            return number(expr[1]) if expr[1] >= 0 else None
        if expr[0] == "pointer":
            return self._behind_null(expr[1])
        if expr[0] in ("addi", "muli"):
            one, other = map(self.amount, expr[1:])
            if expr[0] == "muli":
                return _times(one, other)
            return one + other if one is not None and other is not None else None
        made = scalar_of(self._graph, expr[1]) if expr[0] == "leaf" else expr
        return self.amount(made) if made != expr else product(1, [expr])

    def _behind_null(self, value: Value) -> Amount | None:
        """How many bytes behind null an address is; None: somewhere else."""
        op, found = value.op, number(0)
        while op is not None and self._left > 0 and (model := self._graph.model(op)) is not None:
            self._left -= 1
            if not op.operands:
                return found if not model.alloc and model.call is None else None
            source = op.operands[0].value
            if source is None or not any(view.elements for view in model.view):
                return None
            count, element = self._index(op), stored(_element(self._graph, op) or "")
            if count is None or element is None:
                return None
            found += count.times(element.size)
            op = source.op
        return None

    def _index(self, op: Op) -> Amount | None:
        """Of an element, where there is one index."""
        raw = op.attributes.get("rawConstantIndices")
        written = _RAW.search(raw) if raw is not None else _INDEX.search(_text(self._graph, op))
        if written is None:
            return None
        if written[1].startswith("%") or written[1] == _DYNAMIC:
            value = op.operands[1].value if len(op.operands) == 2 else None
            return self.amount(scalar_of(self._graph, value)) if value is not None else None
        count = numeral(written[1])
        return number(count) if count is not None and count >= 0 else None


def _times(one: Amount | None, other: Amount | None) -> Amount | None:
    """The product; None where that is too long, or one is not known."""
    if one is None or other is None or len(one.terms) * len(other.terms) > MAX_PRODUCT_STEPS:
        return None
    return one * other


def _element(graph: Graph, op: Op) -> str | None:
    """The type of the elements that an op names: in its dictionary, behind those of operands and results, or `%n x`."""
    if "elem_type" in op.attributes:
        return op.attributes["elem_type"]
    counted = _COUNTED.search(_text(graph, op))
    if counted is not None:
        return counted[1]
    return op.types[-1] if len(op.types) > len(op.operands) + len(op.results) else None


def _text(graph: Graph, op: Op) -> str:
    return graph.source[op.span.start : min(op.span.end, op.span.start + MAX_READ_TEXT)]
