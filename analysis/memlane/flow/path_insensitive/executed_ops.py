"""Operations that are executed on some execution, as is plain to see without following paths."""

from __future__ import annotations

from memlane.dialects.model import Guard
from memlane.flow.cfg.callee import is_private
from memlane.flow.cfg.graph import Graph
from memlane.flow.fastpath.single_block import runs
from memlane.flow.scalars.edge_conditions import condition_of
from memlane.flow.scalars.trip_count import TripOf, trip_of
from memlane.flow.symbolic.scalar import may_be_either
from memlane.syntax.tree.tree import Block, Op, Value


def reached(graph: Graph, op: Op) -> bool:
    """Whether it is plain to see that control may come to `op`: as `_entered`, and the loops on the way may run."""
    block = op.parent
    if block is None or not _entered(graph, block):
        return False
    while block is not None and block.region.op is not graph.function:
        holder = block.region.op
        trip = trip_of(graph, holder)
        if trip is None and graph.may_repeat(block.region):
            return False
        if trip is not None and not runs(trip) and not _may_run(graph, trip):
            return False
        block = holder.parent
    return block is not None


def _may_run(graph: Graph, trip: TripOf) -> bool:
    """Whether nothing is known of how far a loop counts. All such loops may run at once."""
    if trip.lower[0] != "const" or trip.upper[0] != "leaf":
        return False
    limit: Value = trip.upper[1]
    if limit.op is not None:
        return not limit.op.regions and graph.call(limit.op) is None
    return limit.block is graph.entry and not is_private(graph.function)


def _entered(graph: Graph, block: Block) -> bool:
    """Whether it is plain to see that control may come to `block`: at most one flag decides, and it is any flag."""
    flags = 0
    while block.region.op is not graph.function:
        holder = block.region.op
        if block.index or holder.parent is None:
            return False
        if not graph.may_repeat(block.region):
            for edge in graph.entries(holder):
                if edge.block is block and edge.guard is not Guard.ALWAYS:
                    expr = condition_of(graph, edge)
                    known = expr is None or not may_be_either(expr)
                    flags += 1
                    if known or flags > 1:
                        return False
        block = holder.parent
    return not block.index
