"""Deallocations in the background: what is used before anybody has waited for one may be used before it, or after."""

from __future__ import annotations

from memlane.flow.cfg.graph import Graph
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.token_chains import awaited_around
from memlane.syntax.tree.tree import Op, Value


def may_come_first(graph: Graph, op: Op, work: frozenset[Value] | None) -> bool:
    """Whether an op may be executed before work that began before it is done.

    Args:
        work: the values any of which stands for its completion; none of them is known to be waited for. None: it is
            done.
    """
    if work is None or not work.isdisjoint(effects_at(graph, op).waits):
        return False
    around = awaited_around(graph, op)
    return work <= around or work.isdisjoint(around)  # of its own values alone: what it began in a round before


def working(graph: Graph, op: Op) -> Op | None:
    """The op that begins the work in the background that `op` is, or is part of; None where it is done at once."""
    while op is not graph.function and op.parent is not None:
        effects = effects_at(graph, op)
        if effects.completion or effects.detached:
            return op
        op = op.parent.region.op
    return None
