"""The facts of one function: what goes wrong with its buffers, how certainly, and along which path.

A first exploration collects events on any path. A second one grades them (certainty.py): where no path passes the same
place without the event, it happens always. Both are exact up to the budget.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import NamedTuple

from memlane.cancellation import poll
from memlane.findings import Certainty
from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.forwarding import Handing
from memlane.flow.alias.origin import Origin
from memlane.flow.alias.shared_memory import may_be_filled
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.incomplete_cfg import Gaps
from memlane.flow.cfg.incomplete_ops import incomplete_ops
from memlane.flow.cfg.region_dispatch import through_hubs
from memlane.flow.dataflow.budget import Budget
from memlane.flow.dataflow.events import EventKind
from memlane.flow.effects.aggregate_buffers import formals_of
from memlane.flow.effects.stackrestore import restoring
from memlane.flow.fastpath.borrowed import Lending
from memlane.flow.fastpath.container_leaks import contained
from memlane.flow.fastpath.cross_block import Ways, settled_across
from memlane.flow.fastpath.freed_values import freed_values
from memlane.flow.fastpath.linear import settled_owned
from memlane.flow.fastpath.lost_buffers import lost
from memlane.flow.fastpath.single_block import Settled, settled
from memlane.flow.fastpath.unnamed_results import nameless
from memlane.flow.interproc.doubts import Doubts
from memlane.flow.interproc.extern_ownership import as_known, of_memory
from memlane.flow.interproc.program import FunctionFlow, Program
from memlane.flow.memo.exploration_memo import Recall
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.enclosing_loops import Loop, is_in_each, iterations, loops_around, stack_loops
from memlane.flow.memory.extern_aliases import Indirect
from memlane.flow.memory.stack_points import points_about
from memlane.flow.memory.streams import may_be_done
from memlane.flow.slicing.address_reuse import compares_addresses
from memlane.flow.slicing.body_blocks import BodyBlocks
from memlane.flow.strategy import follow
from memlane.flow.symbolic.memory_space import ThreadMemory
from memlane.flow.typestate.cluster_result import ClusterResult, Incident, Repeated
from memlane.syntax.tree.tree import Op, Region, Value


class StackGrowth(NamedTuple):
    """An automatic allocation in a loop that does not give it back.

    Args:
        loop: the op, or a branch, that repeats it: the innermost.
        iterations: how often it is made in all, with the loops around; None: not known.
    """

    origin: Origin
    loop: Op
    iterations: int | None


class FunctionFacts(NamedTuple):
    """All that is known of one function.

    Args:
        incidents: in source order of their places.
        stack_growth: automatic allocations in loops.
        undescribed: ops without a model that handle buffers, the first of each name.
        unsolved: allocations whose paths are too many for the budget, in functions too large for all paths together.
        doubts: which buffers go in or out of regions that no description explains.
    """

    incidents: tuple[Incident, ...]
    stack_growth: tuple[StackGrowth, ...]
    undescribed: tuple[Op, ...]
    unsolved: tuple[Origin, ...]
    doubts: Doubts


def analyse(program: Program, flow: FunctionFlow, recall: Recall | None = None) -> FunctionFacts:
    """The facts of `flow`. They depend on its text, the summaries of its callees, how it is called, and the models.

    Args:
        recall: has the results of the previous version, and receives those of this one.
    """
    incidents: list[Incident] = []
    unsolved: list[Origin] = []
    ways: dict[Region, Ways] = {}
    handing, lending = Handing(flow.graph), Lending(program, flow)
    groups: list[list[Cluster]] = []
    serious = _serious(flow.graph)
    for clusters in _together(program, flow):
        poll()
        if recall is not None and recall.stands(clusters):
            groups.append(clusters)
            continue
        if not any(_matters(serious, cluster) for cluster in clusters) or lending.harmless(clusters):
            continue
        alone = _settled(flow, clusters[0], lending) if len(clusters) == 1 else None
        if alone is not None and alone.lost and (leak := _lost(flow, clusters[0])) is not None:
            incidents.append(leak)
        elif alone is None or not (alone.right or _settled_elsewhere(flow, clusters[0], ways, handing, lending)):
            groups.append(clusters)
    for found in _followed(program, flow, groups, recall):
        incidents.extend(found.incidents)
        unsolved.extend(found.unsolved)
    incidents = _clearest([*incidents, *contained(program, flow)])
    incidents = of_memory(program, flow, as_known(program, flow, [*incidents, *nameless(program, flow)]))
    incidents += freed_values(program, flow)
    incidents = _perhaps_awaited(flow.graph, _perhaps_filled(program, flow, incidents))
    incidents = list(_as_written(flow.graph, incidents))
    doubts = Doubts(program, flow)
    incidents = sorted((_repeated(program, flow, _doubted(one, doubts)) for one in incidents), key=_place)
    return FunctionFacts(
        tuple(incidents),
        tuple(_stack_growth(program, flow)),
        tuple(program.undescribed.get(flow.op, ())),
        tuple(unsolved),
        doubts,
    )


def _followed(
    program: Program, flow: FunctionFlow, groups: list[list[Cluster]], recall: Recall | None
) -> Iterator[ClusterResult]:
    """What following the groups gives, each for itself, within the budget of the function."""
    budget = Budget(flow.operations if groups else 0, len(groups))
    graph = _graph(flow) if groups else flow.graph
    body = BodyBlocks(graph, (expr for context in program.contexts(flow) for expr in context.constants))
    for clusters in groups:
        purse = budget.purse()
        found = recall.find(clusters, body) if recall is not None else None
        if found is None or found.spent > purse.left:
            found = follow(program, flow, clusters, purse, body)
            if recall is not None and not found.hindered:  # it depends on what others have left
                recall.keep(clusters, found, body)
        budget.settle(found.spent)
        yield found


def _graph(flow: FunctionFlow) -> Graph:
    """The control flow of a function, with a place between regions that are executed in any order (region_dispatch.py).
    Who compares addresses asks which regions lead to which."""
    return flow.graph if compares_addresses(flow.graph) else through_hubs(flow.graph)


def _settled(flow: FunctionFlow, cluster: Cluster, lending: Lending) -> Settled | None:
    """What the block of a buffer says about it; None: it is not asked."""
    stack = [origin.value for origin in cluster.origins if origin.resource == "stack"]
    if points_about(flow.graph, stack, cluster.root):
        return None
    known = flow.standing.settled(cluster) if flow.standing is not None else None
    if known is None:
        known = settled(flow.graph, cluster, lending.lends)
        if flow.standing is not None:
            flow.standing.settle(cluster, known)
    return known


def _lost(flow: FunctionFlow, cluster: Cluster) -> Incident | None:
    """The leak of a buffer that its block says is lost; None where that takes more than a look. As long as it is the
    same it is one object, so that what rules say of it is known."""
    found = lost(flow.graph, cluster, flow.standing.lost(cluster) if flow.standing is not None else None)
    if found is None:
        return None
    if flow.standing is not None:
        flow.standing.keep_lost(cluster, found)
    return found.leak


def _settled_elsewhere(
    flow: FunctionFlow, cluster: Cluster, ways: dict[Region, Ways], handing: Handing, lending: Lending
) -> bool:
    """Whether nothing goes wrong with the buffers of a cluster in several blocks; False also where that takes more than
    a look."""
    across = settled_across(flow.graph, cluster, ways, lending.lends)
    return across or settled_owned(flow.graph, cluster, handing)


def _clearest(incidents: list[Incident]) -> list[Incident]:
    """Where one op does the same wrong to several buffers, only the certain incidents are kept; where it is unknown
    which of several buffers a name denotes, one of them."""
    always = {(i.kind, i.place) for i in incidents if i.certainty is Certainty.ALWAYS}
    found = [i for i in incidents if i.certainty is Certainty.ALWAYS or (i.kind, i.place) not in always]
    first: dict[tuple[EventKind, Op, Value | None], Incident] = {}
    for one in found:
        if one.unsure and one.kind is not EventKind.LEAK:
            first.setdefault((one.kind, one.place, one.value), one)
    return [i for i in found if not i.unsure or first.get((i.kind, i.place, i.value), i) is i]


def _perhaps_awaited(graph: Graph, incidents: list[Incident]) -> list[Incident]:
    """Incidents without deallocations before work has completed, where in between an op that may wait for it is only
    begun, or the stream of a GPU says that it is done."""
    if not any(one.kind is EventKind.FREE_BEFORE_WAIT for one in incidents):
        return incidents
    begun = ((op, graph.model(op)) for op in incomplete_ops(graph) if op.unparsed or not op.operands)
    waits = sorted(op.span.start for op, model in begun if op.unparsed or model is None or model.wait or model.call)

    def is_open(one: Incident) -> bool:
        since = one.cause.span.start if one.cause is not None else 0
        if bisect_right(waits, since) < bisect_left(waits, one.place.span.start):
            return True
        return one.cause is not None and may_be_done(graph, one.cause, one.place)

    return [one for one in incidents if one.kind is not EventKind.FREE_BEFORE_WAIT or not is_open(one)]


def _perhaps_filled(program: Program, flow: FunctionFlow, incidents: list[Incident]) -> list[Incident]:
    """Incidents without reads of what another thread may have written."""

    def is_filled(one: Incident) -> bool:
        cluster = program.aliases(flow).cluster_of(one.origin.value)
        return cluster is not None and may_be_filled(flow.graph, one.place, one.origin, cluster)

    return [one for one in incidents if one.kind is not EventKind.UNINITIALIZED_READ or not is_filled(one)]


def _as_written(graph: Graph, incidents: list[Incident]) -> Iterator[Incident]:
    """Incidents, of which none is certain whose cause comes before it only until a block is written in between."""
    gaps = Gaps(graph)
    for one in incidents:
        certain = one.certainty is Certainty.ALWAYS and one.kind is not EventKind.LEAK and one.cause is not None
        torn = certain and one.cause is not None and gaps.between(one.cause, one.place)
        yield replace(one, certainty=Certainty.SOME) if torn else one


def _doubted(incident: Incident, doubts: Doubts) -> Incident:
    """An incident, with what there is to doubt about it: then nothing is certain."""
    doubt = doubts.of_value(incident.origin.value)
    return replace(incident, certainty=Certainty.SOME, doubt=doubt) if doubt else incident


def _place(incident: Incident) -> tuple[int, str]:
    return incident.place.span.start, incident.kind.value


def _stack_growth(program: Program, flow: FunctionFlow) -> Iterator[StackGrowth]:
    """The automatic allocations that loops repeat before their scope ends. What a group of threads shares is there once
    for it, however often control comes there."""
    graph, restored = flow.graph, restoring(flow.graph)
    for cluster in program.aliases(flow).clusters.values():
        for origin in cluster.origins:
            shared = origin.of_threads is ThreadMemory.GROUP
            op = origin.value.op if origin.resource == "stack" and not shared else None
            loops = [*stack_loops(graph, op, restored)] if op is not None else []
            if loops:
                yield StackGrowth(origin, loops[0].place, iterations(loops))


def _repeated(program: Program, flow: FunctionFlow, incident: Incident) -> Incident:
    """An incident; of a leak in loops with how often it happens. Where buffers are handed from one iteration to the
    next, or out of the loop, and some are freed, the number is not reported: perhaps only the last one is lost."""
    graph = flow.graph
    loops = [*loops_around(graph, incident.place)] if incident.kind is EventKind.LEAK else []
    cluster = program.aliases(flow).cluster_of(incident.origin.value) if loops else None
    if cluster is None or (_freed(graph, cluster) and _handed_on(cluster, loops[0])):
        return incident
    each = incident.certainty is Certainty.ALWAYS and is_in_each(incident.place, loops)
    return replace(incident, repeated=Repeated(iterations(loops), each))


def _freed(graph: Graph, cluster: Cluster) -> bool:
    """Whether some op may free or keep a buffer of a cluster."""
    for op in {use.op for value in cluster.root for use in value.uses}:
        effects = effects_at(graph, op)
        if effects.frees or effects.escapes or effects.returned or graph.call(op) is not None:
            return True
    return False


def _handed_on(cluster: Cluster, loop: Loop) -> bool:
    """Whether a buffer of a cluster has names outside an iteration of a loop."""
    for value in cluster.root:
        op = value.call if isinstance(value, Indirect) else value.op
        block = value.block if value.block is not None else op.parent if op is not None else None
        entry = value.block is not None and value.block in loop.blocks
        while block is not None and block not in loop.blocks:
            block = block.region.op.parent
        if entry or block is None:
            return True
    return False


def _serious(graph: Graph) -> set[str]:
    """The names of the ops that free buffers, return them or call others."""
    models = graph.named_models.items()
    return {name for name, model in models if model and (model.free or model.exits or model.call is not None)}


def _matters(serious: Collection[str], cluster: Cluster) -> bool:
    """Whether anything can go wrong: it is new and has to be written or freed, or ops of `serious` names use it."""
    if any(origin.owned or origin.made_here for origin in cluster.origins):
        return True
    return any(use.op.name in serious for value in cluster.root for use in value.uses)


def _together(program: Program, flow: FunctionFlow) -> list[list[Cluster]]:
    """The clusters to follow together: those whose arguments a caller passes one buffer for."""
    aliases = program.aliases(flow)
    groups = [[cluster] for cluster in aliases.clusters.values()]
    for context in program.contexts(flow):
        same: dict[int, list[Cluster]] = {}
        for argument, group in zip(formals_of(flow.graph), context.partition, strict=False):
            cluster = aliases.cluster_of(argument)
            if group is not None and cluster is not None:
                same.setdefault(group, []).append(cluster)
        for one in same.values():
            meeting = [group for group in groups if any(cluster in one for cluster in group)] if len(one) > 1 else ()
            if len(meeting) > 1:
                groups = [group for group in groups if group not in meeting]
                groups.append([cluster for group in meeting for cluster in group])
    return groups
