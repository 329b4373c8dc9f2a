"""What may happen to buffers where their paths are too many to follow: one state for each point, for all ways there.

A forward analysis of sets (Kildall, "A unified approach to global program optimization", 1973): which buffers may be
freed, which may not, which may be kept elsewhere. Conditions are free choices. What it finds includes all that may go
wrong; what it calls certain happens on every way it takes, so on every path. Points are looked at in text order, those
of loops again until nothing changes. Sets are numbers, a bit for each buffer (`Holding`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from memlane.dialects.model import Guard
from memlane.findings import Certainty
from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import Origin
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import is_inside
from memlane.flow.dataflow.context import Context
from memlane.flow.dataflow.events import EventKind, Goal, Point
from memlane.flow.dataflow.solver import worklist
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.path_insensitive.executed_ops import reached
from memlane.flow.path_insensitive.limits import MAX_GROWTHS
from memlane.flow.path_insensitive.point_sets import Sets
from memlane.flow.path_insensitive.points_to import Holding
from memlane.flow.path_insensitive.transfer_call import CallTransfer, RoughCallees
from memlane.flow.path_insensitive.transfer_op import SetTransfer, union
from memlane.flow.path_insensitive.violations import PossibleViolation
from memlane.flow.scalars.edge_conditions import condition_of, is_doubtful
from memlane.flow.scalars.trip_count import trip_of
from memlane.flow.slicing.edge_effect import suspends, target_of
from memlane.flow.slicing.slice import Slice
from memlane.flow.typestate import bug_path
from memlane.flow.typestate.cluster_result import Incident
from memlane.syntax.tree.tree import Block, Op, Value

TOLD = "there are too many paths to follow each: conditions are taken as free choices"
"""The note of findings that may be false for that reason."""


def joined(
    graph: Graph, part: Slice, clusters: Collection[Cluster], callees: RoughCallees, contexts: Iterable[Context]
) -> list[Joined]:
    """What may be at each point, for each way the function is entered.

    Args:
        part: the slice of the clusters, from the function's entry on.
    """
    return [_settled(graph, part, clusters, callees, context) for context in contexts]


def _settled(
    graph: Graph, part: Slice, clusters: Collection[Cluster], callees: RoughCallees, context: Context
) -> Joined:
    """One of them: again where calls turn out to give one new buffer under two names, which is more each time."""
    twice: frozenset[tuple[Value, Value]] = frozenset()
    while True:
        found = Joined(graph, part, clusters, callees, context, twice)
        if found.twice <= twice:
            return found
        twice |= found.twice


def incidents(graph: Graph, analyses: list[Joined], origins: Collection[Origin]) -> Iterator[Incident]:
    """What may go wrong with the buffers of some origins. Nothing is certain where control perhaps never comes."""
    told = [one.found(origins) for one in analyses]
    for goal in dict.fromkeys(goal for found, _ in told for goal in found):
        seen = [found[goal] for found, _ in told if goal in found]
        event = next((one.event for one in seen if not one.event.unsure), seen[0].event)
        certain = all(found[goal].certain if goal in found else goal.place not in passed for found, passed in told)
        staying = any(event.place.span.start >= one.staying for one in analyses)
        certain = certain and not event.unsure and not staying and reached(graph, event.place)
        inside = event.inside
        yield Incident(
            event.kind,
            Certainty.ALWAYS if certain else Certainty.SOME,
            event.place,
            event.value,
            event.origin,
            event.cause,
            inside if inside is None or inside.name_span != event.place.name_span else None,
            () if certain else (bug_path.PathStep(graph.function, TOLD),),
            event.unsure,
        )


class Joined:
    """One way the function is entered; see `joined`."""

    def __init__(
        self,
        graph: Graph,
        part: Slice,
        clusters: Collection[Cluster],
        callees: RoughCallees,
        context: Context,
        twice: Collection[tuple[Value, Value]] = (),
    ) -> None:
        self._graph, self._part = graph, part
        self._holding = Holding(graph, part, clusters, context.partition, twice)
        self._step = SetTransfer(graph, part, self._holding, dict(context.constants), callees)
        self._calling = CallTransfer(graph, part, self._holding, self._step, callees)
        self._states: dict[Point, Sets] = {}
        self._ends: list[tuple[Op | None, Sets, int]] = []
        self._stopped = 0
        self._passed: set[Op] = set()
        self._settle()

    def _settle(self) -> None:
        given = union(bit for value, bit in self._holding.fresh.items() if value.op is None)
        start = Point(self._part.scope.blocks[0], 0)
        names = union(self._holding.name(value) for value in self._holding.fresh if value.op is None)
        owners = self._step.owners.first(0, given)
        calm = self._step.works.all
        self._states[start] = Sets(alive=given, written=given, sound=names, calm=calm, owners=owners)
        grown: Counter[Point] = Counter()

        def visit(point: Point) -> Iterator[Point]:
            for after, state in self._from(point, self._states[point]):
                known = self._states.get(after)
                now = state if known is None else known.join(state)
                if now != known:
                    grown[after] += 1
                    if known is not None and grown[after] > MAX_GROWTHS:
                        now = self._step.wider(known, now, all_of=grown[after] > 4 * MAX_GROWTHS)
                    self._states[after] = now
                    yield after

        worklist([start], visit, self._place)

    def _place(self, point: Point) -> int:
        """Where a point is in the text."""
        stops = self._part.stops.get(point.block, ())
        if point.stop < len(stops):
            return stops[point.stop].span.start
        return point.block.ops[-1].span.end if point.block.ops else point.block.region.op.span.start

    def _from(self, point: Point, state: Sets) -> Iterator[tuple[Point, Sets]]:
        """What may be at the points where control may part or meet next."""
        block, index = point
        stops = self._part.stops.get(block, ())
        for op in stops[index:]:
            self._passed.add(op)
            calls = self._graph.call(op) is not None
            state = self._calling.execute(op, state) if calls else self._step.execute(op, state)
            if op.regions:
                yield from self._along(self._graph.entries(op), None, state)
                return
        if block.region is self._part.scope and not self._graph.goes_on(block):
            self._end(block, state)
        else:
            yield from self._along(self._graph.exits(block), block, state)

    def _along(self, edges: tuple[Edge, ...], source: Block | None, state: Sets) -> Iterator[tuple[Point, Sets]]:
        for edge in edges:
            target = target_of(self._part, edge)
            if target is None or not self._may_go(edge, source):
                continue
            if edge.leaves is not None and effects_at(self._graph, edge.leaves).scope:
                self._leave(edge, edge.leaves, state)
            after = state
            if edge.leaves is not None and self._step.works.works:
                after = after._replace(busy=after.busy | self._step.works.started(edge.leaves))
            given, moved, received = 0, 0, 0
            for value, receiver in edge.bindings:
                if receiver in self._part.root:
                    name, old = self._holding.name(receiver), self._holding.name(value) if value is not None else 0
                    after = after.named(name, state.doomed & old, state.sound & old)
                    given |= name
                    if state.keepers & old & ~moved:
                        moved, received = moved | old, received | name
            after = self._step.hand(after, given, moved, received) if given else after
            if suspends(self._graph, edge):
                after = after._replace(owed=after.owed & after.lost, escaped=after.escaped | after.owed & ~after.lost)
            doubtful = is_doubtful(self._graph, edge, source)
            yield target, after._replace(unsure=after.unsure | after.freed) if doubtful else after

    def _may_go(self, edge: Edge, source: Block | None) -> bool:
        """Whether constants leave the way open."""
        if edge.guard is Guard.ALWAYS:
            return True
        if edge.guard in (Guard.TRIPS, Guard.DONE):
            trip = trip_of(self._graph, edge.place) if source is None else None
            bounds = (self._step.scalar(trip.lower), self._step.scalar(trip.upper)) if trip is not None else ()
            if not bounds or any(bound[0] != "const" for bound in bounds):
                return True
            return edge.guard is Guard.TRIPS or bounds[0][1] >= bounds[1][1]  # what never runs is looked at, too
        asked = condition_of(self._graph, edge)
        known = self._step.scalar(asked) if asked is not None else None
        if known is None or known[0] != "const":
            return True
        if edge.guard is Guard.CASE:
            return known[1] == edge.case if edge.case is not None else known[1] not in edge.others
        return bool(known[1]) is (edge.guard in (Guard.TRUE, Guard.HOLDS))

    def _leave(self, edge: Edge, op: Op, state: Sets) -> None:
        """Stack memory of a scope ends."""
        ending = [
            origin
            for origin in self._holding.origins
            if origin.resource == "stack" and origin.value.op is not None and is_inside(origin.value.op, op)
        ]
        inside = self._holding.of(ending) if ending else 0
        for value, _ in edge.bindings:
            bits = self._holding.may(value) if value is not None else 0
            if value is not None and bits & inside:
                certain = self._holding.must(value) and not bits & ~inside
                self._step.findings.note(EventKind.DANGLING_STACK, edge.place, value, bits & inside, certain, state)

    def _end(self, block: Block, state: Sets) -> None:
        """The end of a path: who is still owed what?"""
        if not self._step.findings.only:
            return
        last = block.ops[-1] if block.ops else None
        effects = effects_at(self._graph, last) if last is not None else None
        if self._graph.stops(block):
            self._stopped |= state.owed
            return
        handed = (*effects.returned, *effects.packed) if effects is not None else ()
        returned = union(self._holding.may(value) for value in handed)
        surely = union(self._holding.may(value) for value in handed if self._holding.owner(value))
        names = union(self._holding.name(value) for value in handed)
        owed = state.owed & ~surely & (state.lost | self._holding.buffers(state.keepers & ~names))
        self._ends.append((last, state._replace(owed=owed), returned | state.freed | state.escaped))

    @property
    def twice(self) -> frozenset[tuple[Value, Value]]:
        """See `CallTransfer`."""
        return frozenset(self._calling.twice)

    @property
    def staying(self) -> int:
        """See `CallTransfer`."""
        return self._calling.staying

    def found(self, origins: Collection[Origin]) -> tuple[dict[Goal, PossibleViolation], set[Op]]:
        """What may go wrong with the buffers of some origins, and the ops that control may come to."""
        findings = self._step.findings
        findings.only, findings.found = self._holding.of(origins), {}
        self._ends.clear()
        self._passed.clear()
        self._stopped = 0
        for point in sorted(self._states, key=self._place):
            for _ in self._from(point, self._states[point]):
                pass
        well = union(gone for _, _, gone in self._ends) | self._stopped
        for last, state, _ in self._ends:
            for origin in self._holding.origins:
                bits = self._holding.of([origin])
                made = origin.value.op
                if made is not None and origin.owned and bits & state.owed:
                    certain = not bits & (well | self._calling.perhaps)
                    findings.note(EventKind.LEAK, made, None, bits & state.owed, certain, state, last)
        return findings.found, set(self._passed)
