"""Addresses that are moved as numbers: so lowering aligns what an allocation gives, to the next multiple of a number.

What is at least as far on as the address that it was computed of is one in the same buffer: lowering adds what is
needed to get over the next multiple, and takes the remainder off. Of an address that is moved back from where the
buffer begins, as to the head of its page, or by a value that is not constant, it is unknown which buffer it points
into: a difference of two addresses, added to one, is the other. Tags in the lowest bits, and clearing them, do not lead
away.
"""

from __future__ import annotations

from typing import NamedTuple

from memlane.dialects.model import OpModel
from memlane.flow.cfg.graph import Graph
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.scalars.limits import MAX_ALIGNMENT, MAX_MOVES
from memlane.syntax.tree.tree import Op, Value

_NONE = (1, 0)
"""No number is at least that and at most this."""


_ALIGNED = 8
"""Bytes that every allocator aligns to, one more than a tag in the lower bits of an address may have."""


class AlignedPointer(NamedTuple):
    """An address of the same buffer as another; `same`: what it is the very address of, if it is again."""

    value: Value
    same: Value | None


class _Step(NamedTuple):
    """What an op does to an address: it moves that by so many bytes, at least and at most, or changes its bits."""

    value: Value
    kind: str
    low: int
    high: int


def moved_by(graph: Graph, op: Op, model: OpModel) -> AlignedPointer | None:
    """The value of whose buffer the result of an op is an address; None: unknown, or not of one value alone."""
    steps: list[_Step] = []
    step = _step(graph, op, model)
    while step is not None and len(steps) < MAX_MOVES:
        steps.append(step)
        made = step.value.op
        below = graph.model(made) if made is not None else None
        step = _step(graph, made, below) if made is not None and below is not None and below.compute else None
    if not steps or step is not None:
        return None
    low, high = 0, 0
    for one in reversed(steps):
        found = _moved(one, low, high)
        if found is None:
            return None
        low, high = found
    if low < 0 or high > MAX_ALIGNMENT:
        return None
    return AlignedPointer(steps[0].value, steps[-1].value if low == high == 0 else None)


def _moved(step: _Step, low: int, high: int) -> tuple[int, int] | None:
    """How far from where its buffer begins an address is, at least and at most, once an op has changed one that was so
    far. None: unknown."""
    if step.kind == "ori":
        tagged = low == high >= 0 == low & step.low and 0 <= step.low < _ALIGNED
        return (low + step.low, high + step.low) if tagged else None
    if step.kind != "andi":
        return low + step.low, high + step.high
    kept = -step.low  # the upper bits are
    if kept <= _ALIGNED and kept & (kept - 1) == 0:
        return low // kept * kept, high // kept * kept
    return low + step.low + 1, high


def _step(graph: Graph, op: Op, model: OpModel) -> _Step | None:
    """What an op does with a number of which enough is known."""
    if len(op.operands) != 2:
        return None
    first, last = [use.value for use in op.operands]
    if first is None or last is None:
        return None
    for value, other in ((first, last), (last, first)):
        low, high = _number(graph, other)
        if model.compute == "addi" and low <= high:
            return _Step(value, "addi", low, high)
        if model.compute == "subi" and low <= high and value is first:
            return _Step(value, "subi", -high, -low)
        if (model.compute == "andi" and low == high < 0) or (model.compute == "ori" and low == high >= 0):
            return _Step(value, model.compute, low, high)
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
    expr = scalar_of(graph, value) if value is not None else None
    return expr[1] if expr is not None and expr[0] == "const" else None
