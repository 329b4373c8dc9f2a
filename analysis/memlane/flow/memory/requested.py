"""How many bytes lowered code asks for: what `malloc` is given, as an `Amount` in the scalars of its function.

Lowering writes the size of n elements as the address of the nth behind null (`llvm.getelementptr %null[%n]`).
"""

from __future__ import annotations

import re

from memlane.dialects.model import Alloc
from memlane.dialects.select import select
from memlane.flow.control.graph import Graph
from memlane.flow.scalars.amounts import Amount, number, product
from memlane.flow.scalars.scalar import Expr
from memlane.flow.scalars.stored import stored
from memlane.numerals import numeral
from memlane.syntax.tree.tree import Op, Value

MOST = 32
"""Operations that one number is made by, one after the other."""
_COUNTED = re.compile(r"%[\w$.-]+(?:#\d+)?\s+x\s+([^{:]+?)\s*[{:]")
"""`%n x f32 : (i64) -> !llvm.ptr`, with attributes or without."""
_INDEX = re.compile(r"\[\s*(-?\d+|%[\w$.-]+(?:#\d+)?)\s*\]")
_RAW = re.compile(r"array<i32:\s*(-?\d+)\s*>")
_DYNAMIC = str(-(1 << 31))
"""Written for an index that an operand gives (`LLVM::GEPOp::kDynamicIndex`)."""


def requested(graph: Graph, op: Op, alloc: Alloc) -> Amount | None:
    """Bytes of the buffer that an op makes; None where it does not say."""
    model = graph.model(op)
    counts = alloc.bytes or alloc.elements
    if model is None or counts is None:
        return None
    found = number(1)
    for use in select(op, counts, model):
        amount = _amount(graph, graph.expression(use.value), MOST) if use.value is not None else None
        if amount is None:
            return None
        found = found * amount
    if alloc.elements is None:
        return found
    element = stored(_element(graph, op) or "")
    return found.times(element.size) if element is not None else None


def _amount(graph: Graph, expr: Expr, left: int) -> Amount | None:
    """A number of bytes or elements as sums of products; None where that is not known."""
    if expr[0] == "const":
        return number(expr[1]) if expr[1] >= 0 else None
    if expr[0] == "pointer":
        return _behind_null(graph, expr[1], left - 1)
    if left and expr[0] in ("addi", "muli"):
        one, other = (_amount(graph, part, left - 1) for part in expr[1:])
        if one is None or other is None:
            return None
        return one + other if expr[0] == "addi" else one * other
    if left and expr[0] == "leaf":
        made = graph.expression(expr[1])
        if made != expr:
            return _amount(graph, made, left - 1)
    return product(1, [expr])


def _behind_null(graph: Graph, value: Value, left: int) -> Amount | None:
    """How many bytes behind null an address is; None: somewhere else."""
    op, amount = value.op, number(0)
    for _ in range(max(left, 0)):
        if op is None:
            return None
        model = graph.model(op)
        if model is None:
            return None
        if not op.operands:
            return amount if not model.alloc and model.call is None else None
        if not any(view.elements for view in model.view):
            return None
        count, element = _index(graph, op, left), stored(_element(graph, op) or "")
        source = op.operands[0].value
        if count is None or element is None or source is None:
            return None
        amount += count.times(element.size)
        value, op = source, source.op
    return None


def _index(graph: Graph, op: Op, left: int) -> Amount | None:
    """Of an element, where there is one index."""
    raw = op.attributes.get("rawConstantIndices")
    written = _RAW.search(raw) if raw is not None else _INDEX.search(_text(graph, op))
    if written is None:
        return None
    if written[1].startswith("%") or written[1] == _DYNAMIC:
        value = op.operands[1].value if len(op.operands) == 2 else None
        return _amount(graph, graph.expression(value), left) if value is not None else None
    count = numeral(written[1])
    return number(count) if count is not None and count >= 0 else None


def _element(graph: Graph, op: Op) -> str | None:
    """The type of the elements that an op names: in its dictionary, behind those of operands and results, or `%n x`."""
    if "elem_type" in op.attributes:
        return op.attributes["elem_type"]
    counted = _COUNTED.search(_text(graph, op))
    if counted is not None:
        return counted[1]
    return op.types[-1] if len(op.types) > len(op.operands) + len(op.results) else None


def _text(graph: Graph, op: Op) -> str:
    return graph.source[op.span.start : op.span.end]
