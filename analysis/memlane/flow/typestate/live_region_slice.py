"""Following buffers on the stretch of a function's blocks between the first that names them and the last.

How control comes there, and how it goes on where nothing names them any more, is the same for all buffers and known
(cfg_paths.py). What is found is what following them through the whole function would find, with the same paths.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import inf

from memlane.cancellation import poll
from memlane.dialects.model import Guard
from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import OriginKind
from memlane.flow.control.call_arguments import Passing
from memlane.flow.control.graph import Edge, Graph
from memlane.flow.dataflow.call_outcomes import Callees
from memlane.flow.dataflow.events import Event, EventKind, Pair, Point, Purpose
from memlane.flow.dataflow.solver import BudgetExceeded, Reached
from memlane.flow.dataflow.state import State, ordered
from memlane.flow.slicing.condition_vars import Decisions
from memlane.flow.slicing.dispatch_slice import regions_of
from memlane.flow.slicing.liveness import Fading
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.range import Range
from memlane.flow.symbolic.scalar import Expr, leaves
from memlane.flow.typestate.bug_path import NONE, Choices
from memlane.flow.typestate.cfg_paths import Course, Courses, Onwards
from memlane.flow.typestate.explorer import MIN_STEPS_BEFORE_LIVENESS
from memlane.flow.typestate.hammock_slice import Within
from memlane.syntax.tree.tree import Block, Op, Value

MAX_NAMES = 4
"""Names of buffers in a state, on average, from which on it is asked at once which of them may be forgotten: those of a
dead buffer that n blocks hand on are n in each (tests/hostile/test_growth.py, `handed`)."""


class Stretch(Slice):
    """A slice of some blocks of a function's body.

    Args:
        graph, clusters: as of any slice.
        course: how control goes through the function.
        first: where all paths come in. Nothing leads back there.
        blocks: with all from which control may come to a block that names a buffer.

    Attributes:
        kept: what matters to the operations of the buffers, not to where control goes without them.
        apart: whether all that may be known of it is known where control comes in.
    """

    __slots__ = ("_blocks", "_nested", "apart", "course", "first", "kept")

    def __init__(
        self, graph: Graph, clusters: Collection[Cluster], course: Course, first: Block, blocks: frozenset[Block]
    ) -> None:
        self.course, self.first, self._blocks = course, first, blocks
        self.apart = True
        self._nested: set[Expr] = set()
        self.kept: set[Value] = set()
        also = [op for block in blocks for op in course.stops.get(block, ())]
        super().__init__(graph, clusters, also=also)
        self.apart = self.apart and self.scope is course.part.scope and self._own()
        if self.apart:
            self._share()

    @property
    def blocks(self) -> frozenset[Block]:
        """See `Slice.blocks`."""
        return self._blocks

    def points(self) -> int:
        """See `Slice.points`."""
        inner = {block for region in regions_of(self._graph, self.position) for block in region.blocks}
        return sum(1 + len(self.stops.get(block, ())) for block in inner | self.blocks)

    def edges(self, ops: Collection[Op]) -> Iterator[Edge]:
        inner = regions_of(self._graph, ops)
        for op in ops:
            if op.regions and op is not self._graph.function:
                yield from self._graph.entries(op)
        for block in (*(block for region in inner for block in region.blocks), *self.blocks):
            yield from self._graph.exits(block)

    def guards(self, ops: Collection[Op]) -> Iterator[tuple[Expr, Op]]:
        for expr, place in super().guards(ops):
            if self._own_question(place):
                self._nested.add(expr)
            yield expr, place

    def called(self, ops: Collection[Op]) -> Iterator[tuple[Op, Passing]]:
        """See `Slice.called`."""
        for call, passed in super().called(ops):
            if self._own_question(call):
                self._nested.update(expr for expr in passed.written if expr is not None)
            yield call, passed

    def _own_question(self, place: Op) -> bool:
        """Whether an op asks what the course does not."""
        also = self.course.part.position
        around = place.parent.region.op if place.parent is not None else None
        return place not in also and around not in also and not (place.successors and place.parent in self.blocks)

    def _sources(self, leaf: Value) -> Iterator[tuple[Expr, Op]]:
        block = leaf.block
        if block is None or block.index == 0 or block.region is not self.first.region:
            yield from super()._sources(leaf)
        elif self._comes_round(leaf, block):
            if block in self.blocks and block is not self.first:
                for before in self.blocks:
                    for edge in self._graph.exits(before):
                        yield from self._bound(edge, leaf, edge.place)
            elif leaf not in self.course.part.decided:
                self.apart = False

    def _own(self) -> bool:
        """Whether what matters to the buffers alone is known to those who come in."""
        course = self.course
        followed = (("leaf", value) for value in self.scalars - course.part.scalars)
        kept = set[Value]()
        self._trace([*self._nested, *followed], Decisions(), kept)
        self.kept = kept
        if any(value.block is self.first for value in self.root) or not course.known.isdisjoint(self.kept):
            return False
        both = self.shared | self.kept if self.kept else self.shared
        if any(leaf in course.part.decided and leaf not in course.part.shared for leaf in both):
            return False
        if any(leaf in course.part.decided and not self._remembered(leaf) for leaf in self.kept):
            return False
        if any(not self._blocks.issuperset(course.compared.get(value, ())) for value in self.root):
            return False  # elsewhere it would be a free choice
        return all(block.region is not self.scope or block in self.blocks for block in self.stops)

    def _remembered(self, leaf: Value) -> bool:
        """Whether all there may be to know of a value is known where the blocks are entered, or inside."""
        home = leaf.block if leaf.block is not None else leaf.op.parent if leaf.op is not None else None
        while home is not None and home.region is not self.scope:
            home = home.region.op.parent
        inside = home in self.blocks and home is not self.first
        return inside or self.course.remembers(self.first, leaf)

    def _share(self) -> None:
        """Follow what the course follows as well."""
        there = self.course.part
        edges = self.edges(self.position)
        self.scalars |= {receiver for edge in edges for _, receiver in edge.bindings if receiver in there.scalars}
        matters = set[Value]().union(*map(self.course.asked, self.blocks))
        for arrival in self.course.arrivals(self.first):
            for fact in arrival.pair[1].facts:
                matters.update(leaves(fact[0]))
                if not isinstance(fact[1], Range):
                    matters.update(leaves(fact[1]))
        self.shared |= {leaf for leaf in matters if leaf in there.shared}
        self.decided |= {leaf for leaf in matters if leaf in there.decided}


def stretch(graph: Graph, clusters: Collection[Cluster], courses: Courses) -> Stretch | None:
    """The part of the function in which to follow clusters; None: all of it, or unknown."""
    if any(origin.kind is OriginKind.ARGUMENT for cluster in clusters for origin in cluster.origins):
        return None
    span = courses.hammocks.span(clusters)
    if span is None:
        return None
    found = courses()
    if found is None:
        return None
    part = Stretch(graph, clusters, found, *span)
    return part if part.apart else None


@dataclass(frozen=True, slots=True, eq=False)
class _Loss:
    """A buffer is lost at the end of a path.

    Args:
        steps: how many the path has.
        turn: its last step is taken after those of lower turns that come from the same pair.
        pair: the last one on the stretch.
        event: says so.
        edge, onwards: how the path goes on from there; None: it ends.
    """

    steps: int
    turn: int
    pair: Pair
    event: Event
    edge: Edge | None = None
    onwards: Onwards | None = None


class _Names(Fading):
    """Forgets names alone: the course says what is forgotten of conditions."""

    def forget(self, state: State, gone: frozenset[Value]) -> State:
        """See `Fading.forget`."""
        return super().forget(state._replace(facts=frozenset()), gone)._replace(facts=state.facts)


class Along(Within):
    """An explorer of a stretch."""

    def __init__(self, graph: Graph, part: Stretch, callees: Callees) -> None:
        super().__init__(graph, part, callees)
        self._stretch, self._course = part, part.course
        self._arrivals = self._course.arrivals(part.first)
        self._steps: dict[Pair, int] = {}
        self._turns: dict[Pair, int] = {}
        self._turn = 0
        self._losses: list[_Loss] = []
        self._first: dict[Event, _Loss] = {}

    def run(self, most: int | None = None) -> Reached[Point, State]:
        """See `Explorer.run`. Paths that come in later are as many steps behind.

        Raises:
            BudgetExceeded: or control would go on as it does nowhere else.
        """
        most = self.budget if most is None else min(self.budget, most)
        few = MIN_STEPS_BEFORE_LIVENESS + 2 * self._part.points()
        if few < most:
            try:
                reached = self._explore(few, MAX_NAMES * few)
            except BudgetExceeded:
                self.begun = few
                self._forget_names()
                reached = self._explore(most - few)
        else:
            reached = self._explore(most)
        self._close()
        self._sort(reached.came_from)
        return reached

    def _forget_names(self) -> None:
        """There are many paths: begin again, and forget names that nothing uses any more."""
        self._fading = _Names(self._graph, self._part, False, bound=False)
        self.log.clear()
        for known in (self._steps, self._turns, self._losses):
            known.clear()
        self._turn = 0

    def _explore(self, budget: int, names: float = inf) -> Reached[Point, State]:
        """Explore within so many steps, whose states have so many names of buffers in all."""
        step = self._patiently()
        reached: Reached[Point, State] = Reached()
        waiting = self._arrivals[::-1]
        source: dict[Pair, Pair | None] = {one.pair: None for one in waiting}
        rank = {one.pair: one.rank for one in waiting}
        level: list[Pair] = []
        steps = 0
        while level or waiting:
            steps = steps if level else waiting[-1].steps
            while waiting and waiting[-1].steps == steps:
                level.append(waiting.pop().pair)
            level.sort(key=rank.__getitem__)  # those of one rank stay as they are
            after: list[Pair] = []
            for pair in level:
                names -= sum([len(held.holders) for held in pair[1].heap])
                if len(reached.came_from) >= budget or names < 0:
                    raise BudgetExceeded
                if len(reached.came_from) % 256 == 255:
                    poll()
                reached.came_from[pair] = source[pair]
                self._steps[pair] = steps
                following = [*step(*pair)]
                reached.following.append(following)
                for other in following:
                    if other not in source:
                        source[other], rank[other] = pair, rank[pair]
                        after.append(other)
            level, steps = after, steps + 1
        return reached

    def _sort(self, came_from: dict[Pair, Pair | None]) -> None:
        """Of events at the ends of paths the first comes first: that of the shortest path, of several the first."""
        events = self.log.events
        gone = {loss.event for loss in self._losses}
        for event, pair in events.items():
            if event.kind is EventKind.LEAK and event not in gone:
                self._losses.append(_Loss(self._steps[pair], 0, pair, event))
        if len(self._losses) > 1:
            order = self._order(came_from)
            self._losses.sort(key=lambda loss: (loss.steps, order[loss]))
        for loss in self._losses:
            events.pop(loss.event, None)
        for loss in self._losses:
            if loss.event not in events:
                events[loss.event] = loss.pair
                self._first[loss.event] = loss

    def _order(self, came_from: dict[Pair, Pair | None]) -> dict[_Loss | Pair, int]:
        """The order in which paths that are equally long are found: by the first step in which they differ."""
        inner: dict[Pair, list[tuple[int, _Loss | Pair]]] = {}
        for pair, source in came_from.items():
            if source is not None:
                inner.setdefault(source, []).append((self._turns.get(pair, 0), pair))
        for loss in self._losses:
            inner.setdefault(loss.pair, []).append((loss.turn, loss))
        order: dict[_Loss | Pair, int] = {}
        pending: list[_Loss | Pair] = [one.pair for one in sorted(self._arrivals, key=lambda one: -one.rank)]
        while pending:
            one = pending.pop()
            order[one] = len(order)
            if not isinstance(one, _Loss):
                pending.extend(other for _, other in sorted(inner.get(one, ()), key=lambda turn: -turn[0]))
        return order

    def ends(self, block: Block) -> bool:
        """See `Within.ends`."""
        inside = self._stretch.blocks
        leaves_it = block in inside and any(edge.block not in inside for edge in self._graph.exits(block))
        return leaves_it or super().ends(block)

    def before(self, pair: Pair) -> Choices:
        """See `Within.before`."""
        return self._course.paths.to(pair)

    def onwards(self, event: Event) -> Choices:
        """See `Within.onwards`."""
        loss = self._first.get(event)
        if loss is None or loss.edge is None or loss.onwards is None:
            return NONE
        count, last = self._course.chosen(loss.onwards)
        if loss.edge.guard is Guard.ALWAYS:
            return Choices(count, last)
        return Choices(count + 1, (loss.edge, *last) if count == len(last) else last)

    def _follow(self, edge: Edge, source: Block | None, state: State) -> Iterator[Pair]:
        between = source is not None and source.region is self._stretch.scope
        for point, after in super()._follow(edge, source, state):
            if source is not None and between:
                gone = self._course.forgotten(edge, source) - self._stretch.kept
                after = after._replace(facts=frozenset(f for f in after.facts if gone.isdisjoint(leaves(f[0]))))
                if point.block not in self._stretch.blocks:
                    self._go_on(edge, point, after)
                    continue
            pair = point, after
            self.log.taken.setdefault(pair, edge)
            self._turn += 1
            self._turns.setdefault(pair, self._turn)
            yield pair

    def _go_on(self, edge: Edge, point: Point, state: State) -> None:
        """The stretch is left: nothing names the buffers any more."""
        here, kept = self.log.here, self._stretch.kept
        over = {leaf for leaf in kept if not self._course.remembers(point.block, leaf)}
        facts = frozenset(fact for fact in state.facts if over.isdisjoint(leaves(fact[0])))
        pair = point, State(facts, frozenset())
        onwards = self._course.onwards(pair)
        if pair in self._course.frayed:
            if self.log.told is not None:
                self.log.told.left.append((edge, frozenset()))
            self.log.ended = frozenset()
        if onwards is None or here is None:
            return
        for held in ordered(state.heap):
            op = held.origin.value.op
            if held.freed is None and not held.escaped and held.origin.owned and op is not None:
                self.log.add(EventKind.LEAK, op, held, None, cause=onwards.end)
                if self.log.purpose is not Purpose.GRADES:
                    self._turn += 1
                    event = Event(EventKind.LEAK, op, held.origin, None, onwards.end, None, held.unsure)
                    steps = self._steps[here] + 1 + onwards.steps
                    self._losses.append(_Loss(steps, self._turn, here, event, edge, onwards))
        if self.log.told is not None:
            self.log.told.left.append((edge, self.log.mark(state).bad))
        elif self.log.purpose is Purpose.GRADES:
            bad, ended = self.log.mark(state).bad, self.log.ended
            self.log.ended = bad if ended is None else ended & bad
