"""Operations in the middle of a block behind which control never comes: calls of `abort`, or of functions that end so;
assertions of what is false.

A path ends there as it does at a terminator without successors. The values that the terminator of such a block forwards
never reach their targets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memlane.dialects import select
from memlane.dialects.model import OpModel
from memlane.flow.cfg.graph import Graph
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.symbolic.scalar import FALSE, simplify
from memlane.syntax.tree.tree import Block, Op, Value


def stopping(graph: Graph) -> Mapping[Block, Op]:
    """The first such operation of each block that has one."""
    found: dict[Block, Op] = {}
    for name, model in graph.named_models.items():
        for op in _stopping(graph, graph.named[name], model) if model is not None else ():
            if op.parent is not None and (op.parent not in found or op.index < found[op.parent].index):
                found[op.parent] = op
    return found


def _stopping(graph: Graph, ops: list[Op], model: OpModel) -> Iterator[Op]:
    if model.call is not None:
        yield from (op for op in ops if ((known := graph.model(op)) is not None and known.stops) or graph.ends(op))
    elif model.stops:
        yield from ops
    elif model.asserts is not None:
        yield from (op for op in ops if any(_is_false(graph, use.value) for use in select(op, model.asserts, model)))


def _is_false(graph: Graph, value: Value | None) -> bool:
    """Whether constants say that a flag is false."""
    return value is not None and simplify(scalar_of(graph, value), {}) == FALSE
