"""Reductions of buffers: an op whose rounds end with a terminator with regions, which combine what was carried so far
with what the round gives (`scf.parallel` and `scf.reduce`).

The regions run one after the other. The first argument of each is what is carried: what the op around was given for it
at first, then what the region has returned last, which is also the result of the op around. The second argument is an
operand of the terminator.
"""

from __future__ import annotations

from collections.abc import Sequence

from memlane.dialects import select
from memlane.dialects.model import OpModel
from memlane.flow.cfg.edge import Edge
from memlane.syntax.tree.tree import Op, Region, Use, Value

Pair = tuple["Value | None", Value]


def with_carried(model: OpModel | None, op: Op, source: Region | None, edges: list[Edge]) -> list[Edge]:
    """The edges from an op, or from the end of one of its regions, with what is carried on them.

    Args:
        model: of the op.
        source: the region that ends; None: control comes to the op.
    """
    if model is None:
        return edges
    if model.carries is not None:
        return _around(op, source, edges, select(op, model.carries, model))
    if model.accumulates:
        return _within(op, source, edges)
    return edges


def _around(op: Op, source: Region | None, edges: list[Edge], initial: Sequence[Use]) -> list[Edge]:
    """What the op around is given is carried into it, and is its result for now; each round takes it along."""
    carried = _carried(_end(op))
    if not carried:
        return edges
    given = [use.value for use in initial]
    if source is None:
        pairs: list[Pair] = [*zip(given, carried, strict=False), *zip(given, op.results, strict=False)]
    else:
        pairs = [(one, one) for one in carried]
    into = (edge._replace(bindings=(*edge.bindings, *pairs)) if edge.block is not None else edge for edge in edges)
    return [edge if edge.block is not None or source is None else edge._replace(bindings=()) for edge in into]


def _within(op: Op, source: Region | None, edges: list[Edge]) -> list[Edge]:
    """What a region has returned is carried on, beside what the others carry; those that are still to come get their
    operands."""
    carried, around = _carried(op), op.parent.region.op if op.parent is not None else None
    done = source.index + 1 if source is not None else 0
    pairs: list[Pair] = [(one, one) for index, one in enumerate(carried) if index != done - 1]
    if source is not None and around is not None and carried:
        last = source.blocks[-1].ops[-1] if source.blocks and source.blocks[-1].ops else None
        returned = last.operands[0].value if last is not None and last.operands else None
        pairs += [(returned, receiver) for receiver in (carried[source.index], *around.results[source.index : done])]
    for region, use in list(zip(op.regions, op.operands, strict=False))[done:] if carried else ():
        pairs += [(use.value, argument) for argument in region.blocks[0].arguments[1:]]
    return [edge._replace(bindings=(*edge.bindings, *pairs)) for edge in edges]


def _end(op: Op) -> Op | None:
    """The last op of the body."""
    blocks = op.regions[0].blocks if op.regions else []
    return blocks[-1].ops[-1] if blocks and blocks[-1].ops else None


def _carried(end: Op | None) -> list[Value]:
    """What its regions carry on; nothing while they are being typed."""
    if end is None or not all(region.blocks and len(region.blocks[0].arguments) == 2 for region in end.regions):
        return []
    return [region.blocks[0].arguments[0] for region in end.regions]
