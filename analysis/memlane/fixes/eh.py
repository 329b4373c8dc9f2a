"""Calls that may throw: where an exception arrives nothing can stand first, and what was called gave nothing there."""

from __future__ import annotations

from memlane.flow.alias.origin import Origin
from memlane.flow.cfg.graph import Graph
from memlane.syntax.tree.tree import Block


def is_landing(graph: Graph, block: Block) -> bool:
    """Whether exceptions arrive at a block: the first operation there has to stay it."""
    calls = {edge.place: None for edge in graph.entering(block) if len(edge.place.successors) > 1}
    return any(one.block is block for op in calls if graph.call(op) is not None for one in op.successors[1:])


def may_not_be(origin: Origin) -> bool:
    """Whether the buffer is there only where the operation that gives it has led to the first of its successors."""
    return origin.owned and origin.value.op is not None and len(origin.value.op.successors) > 1
