"""Buffers that are put into containers of a function and stay there: local memory that no other function gets, out of
which nothing is freed. Which of its places one is in does not matter then: all of them are lost. What is taken out may
be passed to functions that borrow it, fewer times than there are buffers: whatever they do, some are left. So they are
where fewer are freed than are made, by the numbers of rounds of the loops around. Memory that is not to be freed, as of
arguments, may be in the same containers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memlane.findings import Certainty
from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.incomplete_cfg import breaks_off
from memlane.flow.cfg.ops_by_name import described
from memlane.flow.cfg.region_edges import places_around
from memlane.flow.dataflow.events import EventKind
from memlane.flow.effects.effects import NO_EFFECTS
from memlane.flow.fastpath.borrowed import Lending
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.pointer_memory import slots_of, stores_buffer
from memlane.flow.scalars.trip_count import trip_of
from memlane.flow.symbolic.types import may_hold_buffer
from memlane.flow.typestate.cluster_result import Incident
from memlane.syntax.tree.tree import Op, Use, Value

if TYPE_CHECKING:
    from memlane.flow.interproc.program import FunctionFlow, Program


def contained(program: Program, flow: FunctionFlow) -> Iterator[Incident]:
    """Their leaks, in text order of what is lost."""
    graph = flow.graph
    if slots_of(graph).none:
        return
    aliases = program.aliases(flow)
    stores = [op for op in described(graph, lambda model: model.escape) if stores_buffer(op, graph.model(op))]
    kept = (value for op in stores for value in effects_at(graph, op).escapes)
    clusters = dict.fromkeys(one for value in kept if (one := aliases.cluster_of(value)) is not None)
    lending = Lending(program, flow)
    for cluster in clusters if _returns(graph) else ():
        lost = bool(_containers(graph, cluster, lending))
        if not lost and not _outnumbered(graph, cluster, lending):
            continue
        for origin in to_be_freed(cluster):
            if origin.value.op is not None:
                certainty = Certainty.ALWAYS if lost else Certainty.SOME
                yield Incident(EventKind.LEAK, certainty, origin.value.op, None, origin, None, None, (), False)


def containers_of(program: Program, flow: FunctionFlow, cluster: Cluster) -> tuple[Op, ...]:
    """The ops that make the containers in which the buffers of a cluster stay, until the function goes back to the
    caller; none where something else may be done with one of them, by any of its names, than to use it."""
    return _containers(flow.graph, cluster, Lending(program, flow)) if _returns(flow.graph) else ()


def to_be_freed(cluster: Cluster) -> list[Origin]:
    """Where those buffers of a cluster come from that its function makes and has to free."""
    return [one for one in cluster.origins if one.owned]


def _returns(graph: Graph) -> bool:
    """Whether each path through the function is known to go back to the caller, if it ends."""
    blocks = [block for op in graph.function.walk() for region in op.regions for block in region.blocks if block.ops]
    return not any(graph.stops(block) or breaks_off(graph, block) for block in blocks)


def _containers(graph: Graph, cluster: Cluster, lending: Lending) -> tuple[Op, ...]:
    """See `containers_of`: those of which that holds if the function goes back."""
    made = dict.fromkeys(_behind_views(graph, memory) for memory in _stored_in(graph, cluster, lending))
    return tuple([one.op for one in made if one.op]) if all(_is_own(graph, cluster, one) for one in made) else ()


def _outnumbered(graph: Graph, cluster: Cluster, lending: Lending) -> bool:
    """Whether more buffers are made at one place, and put into containers of the function, than are freed at all."""
    frees = [op for op in {use.op for name in cluster.root for use in name.uses} if _only_frees(graph, op, cluster)]
    made = [origin.value.op for origin in cluster.origins]
    if len(made) != 1 or made[0] is None or not frees:
        return False
    freed = [_most_times(graph, op) for op in frees]
    if None in freed or _least_times(graph, made[0]) <= sum(times or 0 for times in freed):
        return False
    containers = dict.fromkeys(
        _behind_views(graph, one) for one in _stored_in(graph, cluster, lending, frozenset(frees))
    )
    return bool(containers) and all(_is_own(graph, cluster, one) for one in containers)


def _only_frees(graph: Graph, op: Op, cluster: Cluster) -> bool:
    """Whether an op frees one of the buffers, and does nothing else."""
    frees = effects_at(graph, op).frees
    return len(frees) == 1 == len(op.operands) and frees[0].value in cluster.root and not op.results


def _most_times(graph: Graph, op: Op) -> int | None:
    """How often an op is executed at most; None: there is no limit."""
    found = 1
    for _, around in places_around(graph, op):
        trip = trip_of(graph, around.region.op)
        if trip is not None and trip.times is not None:
            found *= trip.times
        elif graph.cycle(around) or (around.region.op is not graph.function and graph.may_repeat(around.region)):
            return None
    return found


def _least_times(graph: Graph, op: Op) -> int:
    """How often an op is executed at least, as far as loops around it say."""
    found = 1
    for _, around in places_around(graph, op):
        trip = trip_of(graph, around.region.op)
        if around.index or (trip is None and around.region.op is not graph.function):
            return 0
        found *= (trip.times or 0) if trip is not None else 1
    return found


def _stored_in(graph: Graph, cluster: Cluster, lending: Lending, frees: frozenset[Op] = frozenset()) -> set[Value]:
    """The containers in which buffers that are made here are put; none where anything is done with these, by any
    name, but to use them and to put them there, besides some ops that free them."""
    containers: set[Value] = set()
    own = to_be_freed(cluster)
    if not own or not all(one.kind is OriginKind.ALLOCATION and one.symbol is None for one in own):
        return containers
    lent = 0
    for op in {use.op for name in cluster.root for use in name.uses} - frees:
        effects = effects_at(graph, op)
        if _lends(graph, op, cluster, lending):
            lent += sum(use.value in cluster.root for use in op.operands)
        elif not _only_uses(graph, op, cluster):
            return set()
        if any(value in cluster.root for value in effects.escapes):
            if op.results or len(effects.writes) != 1 or len(effects.escapes) != 1:
                return set()
            containers.update(effects.writes)
    return containers if lent < len(own) else set()


def _lends(graph: Graph, op: Op, cluster: Cluster, lending: Lending) -> bool:
    """Whether an op calls a function that borrows the buffers, once, and gives nothing that may be one of them."""
    if graph.call(op) is None or op.successors or any(may_hold_buffer(result.type) for result in op.results):
        return False
    return not _repeated(graph, op) and lending.lends(op, cluster)


def _repeated(graph: Graph, op: Op) -> bool:
    """Whether an op may come again before its function ends."""
    return any(
        graph.cycle(block) or (block.region.op is not graph.function and graph.may_repeat(block.region))
        for _, block in places_around(graph, op)
    )


def _only_uses(graph: Graph, op: Op, cluster: Cluster) -> bool:
    """Whether an op that names a buffer reads or writes it, views it or puts it somewhere, and nothing else."""
    effects, model = effects_at(graph, op), graph.model(op)
    if effects.unknown or effects.completion or effects.detached or model is None or model.call is not None:
        return False
    if model.terminator or op.successors or any(free.value in cluster.root for free in effects.frees):
        return False
    handed = (*effects.acquires, *effects.returned, *effects.packed)
    used = (*effects.reads, *effects.writes, *effects.escapes, *(one for view in effects.views for one in view.sources))
    named = [use.value for use in op.operands if use.value in cluster.root]
    return not any(value in cluster.root for value in handed) and all(value in used for value in named)


def _is_own(graph: Graph, cluster: Cluster, made: Value) -> bool:
    """Whether a container is made here, and nothing is done with it, by any of its names, but to store to it, to load
    from it what belongs to the cluster, and to give it back."""
    if made.op is None or not any(
        one is made and not alloc.per_symbol for one, alloc in effects_at(graph, made.op).allocs
    ):
        return False
    names, seen = [made], {made}
    while names:
        for use in names.pop().uses:
            if not _keeps(graph, cluster, use):
                return False
            views = {view.result for view in effects_at(graph, use.op).views if use.value in view.sources} - seen
            names += views
            seen |= views
    return True


def _behind_views(graph: Graph, value: Value) -> Value:
    """What a value is a view of, and nothing else may be."""
    seen = {value}  # where control never comes a view may be one of itself
    while value.op is not None:
        view = next((one for one in effects_at(graph, value.op).views if one.result is value), None)
        if view is None or view.unsure or len(view.sources) != 1 or view.sources[0] in seen:
            break
        value = view.sources[0]
        seen.add(value)
    return value


def _keeps(graph: Graph, cluster: Cluster, use: Use) -> bool:
    op, effects = use.op, effects_at(graph, use.op)
    if effects.unknown or effects.completion or op.regions or use.successor is not None:
        return False
    model = graph.model(op)
    if model is None or model.terminator or model.call is not None:
        return False
    if effects is NO_EFFECTS:
        return not any(may_hold_buffer(result.type) for result in op.results)
    if any(use.value in view.sources for view in effects.views):
        sure = not any(view.unsure or view.moves or len(view.sources) > 1 for view in effects.views)
        return sure and not (effects.reads or effects.writes or effects.escapes or effects.loaded or effects.frees)
    if effects.escapes:
        return use.value in effects.writes and use.value not in effects.escapes
    given = (*effects.loaded, *(view.result for view in effects.views))  # what was loaded before has a name by then
    if given:
        return bool(effects.reads) and not effects.writes and all(value in cluster.root for value in given)
    return any(free.value is use.value for free in effects.frees)
