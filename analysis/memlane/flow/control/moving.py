"""Addresses that are moved as numbers: so lowering aligns what an allocation gives, to the next multiple of a number.

What is at least as far on as the address that it was computed of is one in the same buffer: lowering adds what is
needed to get over the next multiple, and takes the remainder off. Of an address that is moved back from where the
buffer begins, as to the head of its page, or by what is no constant, nobody knows what it is an address of: a
difference of two addresses, added to one, is the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memlane.dialects.model import OpModel
from memlane.syntax.tree.tree import Op, Value

if TYPE_CHECKING:
    from memlane.flow.control.graph import Graph


STEPS = 16
"""Operations that an address may be moved by, one after the other."""
FARTHEST = 1 << 16
"""Bytes. Nobody aligns to more; farther on may be what a tool has of its own for each address."""
_NONE = (1, 0)
"""No number is at least that and at most this."""


class _Moved(NamedTuple):
    """An operand of an op which may be an address, and by how many bytes it is moved, at least and at most."""

    value: Value
    low: int
    high: int


def moved_by(graph: Graph, op: Op, model: OpModel) -> Value | None:
    """The operand of which an op gives an address of the same buffer, if any; None: nobody knows, or of none alone."""
    moved = _moved(graph, op, model)
    return moved.value if moved is not None and _from_start(graph, moved) is not None else None


def _from_start(graph: Graph, moved: _Moved) -> tuple[int, int] | None:
    """How far it is moved by all operations; None: back, too far, or by too many."""
    low, high = moved.low, moved.high
    for _ in range(STEPS):
        op = moved.value.op
        model = graph.model(op) if op is not None else None
        before = _moved(graph, op, model) if op is not None and model is not None and model.compute else None
        if before is None:
            return (low, high) if low >= 0 and high <= FARTHEST else None
        moved = before
        low, high = low + moved.low, high + moved.high
    return None


def _moved(graph: Graph, op: Op, model: OpModel) -> _Moved | None:
    """What an op moves by a number of which enough is known."""
    if len(op.operands) != 2:
        return None
    first, last = [use.value for use in op.operands]
    if first is None or last is None:
        return None
    for value, other in ((first, last), (last, first)):
        low, high = _number(graph, other)
        if model.compute == "addi" and low <= high:
            return _Moved(value, low, high)
        if model.compute == "subi" and low <= high and value is first:
            return _Moved(value, -high, -low)
        if model.compute == "andi" and low == high < 0:
            return _Moved(value, low + 1, 0)  # the upper bits are kept
    return None


def _number(graph: Graph, value: Value) -> tuple[int, int]:
    """What a number is, at least and at most, where it is a constant or what one leaves of another; else no number
    is that."""
    known = _constant(graph, value)
    if known is not None:
        return known, known
    model = graph.model(value.op) if value.op is not None else None
    if value.op is None or model is None or len(value.op.operands) != 2:
        return _NONE
    first, last = [_constant(graph, use.value) for use in value.op.operands]
    if model.compute in ("remui", "remsi") and last is not None and last > 0:
        return (0 if model.compute == "remui" else 1 - last), last - 1
    mask = last if last is not None else first
    return (0, mask) if model.compute == "andi" and mask is not None and mask >= 0 else _NONE


def _constant(graph: Graph, value: Value | None) -> int | None:
    expr = graph.expression(value) if value is not None else None
    return expr[1] if expr is not None and expr[0] == "const" else None
