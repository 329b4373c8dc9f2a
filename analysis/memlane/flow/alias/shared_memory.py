"""Memory that several threads share: what one of them reads, another may have written, on whatever path."""

from __future__ import annotations

from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import Origin
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import is_inside
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.scalars.spmd_regions import team_around
from memlane.flow.symbolic.memory_space import ThreadMemory
from memlane.syntax.tree.tree import Op


def may_be_filled(graph: Graph, read: Op, origin: Origin, cluster: Cluster) -> bool:
    """Whether another thread may have written what an operation reads from a buffer: they share it, as it lies in
    memory of the group or is made outside what they run, and something in there may write to it."""
    team = team_around(graph, read)
    if team is None:
        return False
    made = origin.value.op
    within = team is graph.function or (made is not None and is_inside(made, team))
    if within and origin.of_threads is not ThreadMemory.GROUP:
        return False
    uses = ((use.op, value) for value in cluster.root for use in value.uses)
    inside = ((op, value) for op, value in uses if team is graph.function or is_inside(op, team))
    return any(value in effects_at(graph, op).writes or graph.call(op) is not None for op, value in inside)
