"""Buffers that are put into containers of a function and stay there: local memory that nobody else is told of, out of
which nothing is freed or handed on. Which of its places one is in does not matter then: all of them are lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memlane.findings import Certainty
from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import OriginKind
from memlane.flow.control.effects import NO_EFFECTS
from memlane.flow.control.graph import Graph
from memlane.flow.control.named import described
from memlane.flow.control.slots import slots_of, stores_buffer
from memlane.flow.control.unfinished import breaks_off
from memlane.flow.paths.followed import Incident
from memlane.flow.scalars.types import may_hold_buffer
from memlane.flow.states.events import EventKind
from memlane.syntax.tree.tree import Op, Use, Value

if TYPE_CHECKING:
    from memlane.flow.calls.program import FunctionFlow, Program


def contained(program: Program, flow: FunctionFlow) -> Iterator[Incident]:
    """Their leaks, in text order of what is lost."""
    graph = flow.graph
    if slots_of(graph).none:
        return
    aliases = program.aliases(flow)
    stores = [op for op in described(graph, lambda model: model.escape) if stores_buffer(op, graph.model(op))]
    kept = (value for op in stores for value in graph.effects(op).escapes)
    clusters = {id(one): one for value in kept if (one := aliases.cluster_of(value)) is not None}
    lost = [one for one in clusters.values() if _stays(graph, one)] if _returns(graph) else []
    for origin in (origin for one in lost for origin in one.origins):
        op = origin.value.op
        if op is not None:
            yield Incident(EventKind.LEAK, Certainty.ALWAYS, op, None, origin, None, None, (), False)


def _returns(graph: Graph) -> bool:
    """Whether each path through the function is known to go back to the caller, if it ends."""
    blocks = [block for op in graph.function.walk() for region in op.regions for block in region.blocks if block.ops]
    return not any(graph.effects(block.ops[-1]).stops or breaks_off(graph, block) for block in blocks)


def _stays(graph: Graph, cluster: Cluster) -> bool:
    """Whether buffers are made here, and nothing is done with them, by any of their names, but to use them and to put
    them into containers."""
    made = all(one.kind is OriginKind.ALLOCATION and one.owned and one.symbol is None for one in cluster.origins)
    ops = {use.op for name in cluster.root for use in name.uses} if made else ()
    containers: set[Value] = set()
    for op in ops:
        effects = graph.effects(op)
        if not _only_uses(graph, op, cluster):
            return False
        if any(value in cluster.root for value in effects.escapes):
            if op.results or len(effects.writes) != 1 or len(effects.escapes) != 1:
                return False
            containers.update(effects.writes)
    return made and all(_is_own(graph, cluster, one) for one in containers)


def _only_uses(graph: Graph, op: Op, cluster: Cluster) -> bool:
    """Whether an op that names a buffer reads or writes it, views it or puts it somewhere, and nothing else."""
    effects, model = graph.effects(op), graph.model(op)
    if effects.unknown or effects.completion or effects.detached or model is None or model.call is not None:
        return False
    if model.terminator or op.successors or any(free.value in cluster.root for free in effects.frees):
        return False
    handed = (*effects.acquires, *effects.returned, *effects.packed)
    used = (*effects.reads, *effects.writes, *effects.escapes, *(one for view in effects.views for one in view.sources))
    named = [use.value for use in op.operands if use.value in cluster.root]
    return not any(value in cluster.root for value in handed) and all(value in used for value in named)


def _is_own(graph: Graph, cluster: Cluster, container: Value) -> bool:
    """Whether a container is made here, and nothing is done with it but to store to it, to load from it what belongs to
    the cluster, and to give it back."""
    op = container.op
    if op is None or not any(made is container and not alloc.per_symbol for made, alloc in graph.effects(op).allocs):
        return False
    return all(_keeps(graph, cluster, use) for use in container.uses)


def _keeps(graph: Graph, cluster: Cluster, use: Use) -> bool:
    op, effects = use.op, graph.effects(use.op)
    if effects.unknown or effects.views or effects.completion or op.regions or use.successor is not None:
        return False
    model = graph.model(op)
    if model is None or model.terminator or model.call is not None:
        return False
    if effects is NO_EFFECTS:
        return not any(may_hold_buffer(result.type) for result in op.results)
    if effects.escapes:
        return use.value in effects.writes and use.value not in effects.escapes
    if effects.loaded:
        return not effects.writes and all(value in cluster.root for value in effects.loaded)
    return any(free.value is use.value for free in effects.frees)
