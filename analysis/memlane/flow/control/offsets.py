"""Offsets that are made of addresses, as a difference of two: what they are added to may then be any of those."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlane.dialects import select
from memlane.dialects.model import OpModel
from memlane.flow.scalars.types import may_hold_buffer
from memlane.syntax.tree.tree import Value

if TYPE_CHECKING:
    from memlane.flow.control.graph import Graph

MOST = 16
"""Operations that an offset is made by."""


def takes_offsets(model: OpModel | None) -> bool:
    """Whether an op of that model gives what is so far from the one operand as others say."""
    views = model.view if model is not None and model.compute is None else ()
    return any(view.may for view in views) and not all(view.may for view in views)


def leading_to(graph: Graph, values: tuple[Value, ...]) -> tuple[Value, ...]:
    """Those of some values that may be buffers, or numbers made of their addresses."""
    return tuple([value for value in values if may_hold_buffer(value.type) or _is_of_address(graph, value)])


def _is_of_address(graph: Graph, value: Value) -> bool:
    pending = [value]
    for _ in range(MOST):
        if not pending:
            break
        value = pending.pop()
        op = value.op
        model = graph.models.of(op.name) if op is not None else None
        if op is None or model is None:
            continue
        first = op.operands[0].value if op.operands else None
        if model.compute == "pointer" and not _is_nothing(graph, first):
            return True
        followed = {use.value: None for view in model.view if view.may for use in select(op, view.of, model)}
        pending += [one for one in followed if one is not None] if model.compute is not None else []
    return False


def _is_nothing(graph: Graph, value: Value | None) -> bool:
    """Whether an address is so far from that of no buffer: lowering writes sizes so."""
    for _ in range(MOST):
        op = value.op if value is not None else None
        model = graph.models.of(op.name) if op is not None else None
        if op is None or model is None:
            return False
        if not op.operands:
            return not model.alloc and model.call is None
        if not model.view:
            return False
        value = op.operands[0].value
    return False
