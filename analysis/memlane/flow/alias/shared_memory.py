"""Memory that the threads of a kernel share: what one of them reads, another may have written, on whatever path."""

from __future__ import annotations

from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import Origin
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import is_inside
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.scalars.spmd_regions import kernel_around
from memlane.flow.symbolic.memory_space import ThreadMemory
from memlane.syntax.tree.tree import Op


def may_be_filled(graph: Graph, read: Op, origin: Origin, cluster: Cluster) -> bool:
    """Whether another thread may have written what an operation reads from a buffer: they share it, as it lies in
    memory of the group or is made outside the kernel, and something in the function writes to it."""
    kernel = kernel_around(graph, read)
    if kernel is None:
        return False
    made = origin.value.op
    within = kernel is graph.function or (made is not None and is_inside(made, kernel))
    if within and origin.of_threads is not ThreadMemory.GROUP:
        return False
    return any(value in effects_at(graph, use.op).writes for value in cluster.root for use in value.uses)
