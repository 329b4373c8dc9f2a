"""Offsets that are made of addresses, as a difference of two: what they are added to may then be any of those."""

from __future__ import annotations

from memlane.dialects.model import OpModel
from memlane.flow.cfg.graph import Graph
from memlane.flow.effects.limits import MAX_OFFSET_OPS
from memlane.flow.symbolic.types import may_hold_buffer
from memlane.syntax.tree.tree import Op, Value


def takes_offsets(model: OpModel | None) -> bool:
    """Whether an op of that model gives what is so far from the one operand as others say."""
    views = model.view if model is not None and model.compute is None else ()
    return any(view.may for view in views) and not all(view.may for view in views)


def leading_to(graph: Graph, base: tuple[Value, ...], values: tuple[Value, ...]) -> tuple[Value, ...]:
    """Those of some values that may be buffers, or numbers that lead from `base` to another buffer: made of a
    difference of the addresses of two, or from nowhere of any. What is made of one address, as a hash or a length is,
    does not.
    """
    nowhere = base and all(_is_nothing(graph, value) for value in base)
    leads = _addresses if nowhere else _differences
    return tuple([value for value in values if may_hold_buffer(value.type) or leads(graph, value)])


def _addresses(graph: Graph, value: Value) -> set[Value]:
    """The buffers of whose addresses a number is made, as far as that is seen."""
    found = [op.operands[0].value for op in _made_by(graph, value) if _computes(graph, op) == "pointer" and op.operands]
    return {_origin(graph, one) for one in found if one is not None and not _is_nothing(graph, one)}


def _differences(graph: Graph, value: Value) -> list[Op]:
    """The ops that a number is made by which tell how far the addresses of two buffers are from each other."""
    made = [op for op in _made_by(graph, value) if _computes(graph, op) == "subi" and len(op.operands) == 2]
    given = [(op, [use.value for use in op.operands]) for op in made]
    apart = [(op, [_addresses(graph, one) for one in both if one is not None]) for op, both in given]
    return [op for op, both in apart if len(both) == 2 and all(both) and both[0] != both[1]]


def _made_by(graph: Graph, value: Value) -> list[Op]:
    """The ops that compute a number, from the last on, as far as that is seen."""
    found: dict[Op, None] = {}
    pending = [value]
    while pending and len(found) < MAX_OFFSET_OPS:
        op = pending.pop().op
        kind = _computes(graph, op) if op is not None else None
        if op is not None and kind is not None and op not in found:
            found[op] = None
            pending += [use.value for use in op.operands if use.value is not None and kind != "pointer"]
    return list(found)


def _computes(graph: Graph, op: Op) -> str | None:
    model = graph.models.of(op.name)
    return model.compute if model is not None else None


def _origin(graph: Graph, value: Value) -> Value:
    """What an address is so far from."""
    for _ in range(MAX_OFFSET_OPS):
        op = value.op
        model = graph.models.of(op.name) if op is not None else None
        first = op.operands[0].value if op is not None and op.operands else None
        if model is None or not model.view or first is None:
            break
        value = first
    return value


def _is_nothing(graph: Graph, value: Value | None) -> bool:
    """Whether an address is so far from that of no buffer: lowering writes sizes so."""
    for _ in range(MAX_OFFSET_OPS):
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
