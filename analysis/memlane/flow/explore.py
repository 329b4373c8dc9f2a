"""Following the buffers of a cluster along every path of a function: what can happen to each.

`Explorer.step` is the transfer function that `solver.reach` runs to its fixpoint: from a point and a state to the
points and states that may follow. It takes the edges of the graph, guarded by what the path knows; what operations
do is `Transfer`'s and `Invoke`'s. What goes wrong on the way is in `log`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from memlane.dialects.model import Guard
from memlane.flow.alias import OriginKind
from memlane.flow.calls import Callees
from memlane.flow.events import EventKind, Goal, Log, Pair, Point
from memlane.flow.graph import Edge, Graph
from memlane.flow.invoke import Invoke
from memlane.flow.scalar import Expr, Facts, Range, assume, constant, leaves, points, simplify, size
from memlane.flow.slice import Slice
from memlane.flow.solver import Reached, reach
from memlane.flow.state import Instance, State
from memlane.flow.transfer import Transfer, ancestor
from memlane.syntax.tree import Block, Op, Region, Value

CONSTANT_TRIPS = 20
"""Iterations of a loop with constant bounds that are told apart; the rest is taken as any number of iterations."""
UNKNOWN_TRIPS = 3
"""The same for loops whose bounds are not known."""
MAX_TERM = 12
"""Parts of the largest expression that is followed from block to block."""
BUDGET = 12_000
"""Pairs of point and state that one exploration may expand, and for each point of its slice:"""
PER_POINT = 4
PER_PLAIN_POINT = 16
"""The last resort, with all conditions taken as free choices, may cost more."""


class Ending(NamedTuple):
    """The way out of the function: the buffers handed to the caller, by operand of the returning op."""

    state: State
    exit: Op | None
    results: tuple[Instance | None, ...]


class Context(NamedTuple):
    """How the function is entered.

    Args:
        partition: per argument the number of the buffer it is, where several are one; empty: all differ.
        constants: what is known of scalar arguments.
    """

    partition: tuple[int | None, ...] = ()
    constants: Mapping[Expr, Expr] = {}


class Handed(NamedTuple):
    """A root and the buffer it will denote; `shifted`: through another address."""

    receiver: Value
    held: Instance | None
    shifted: bool


class Explorer:
    """One exploration.

    Args:
        graph, part: the function and the slice to follow.
        callees: what the functions called do.
        goal: look for paths that pass its place without its event; None: collect all events.
        context: how the function is entered.
        summarise: facts about arguments matter to the caller.
    """

    def __init__(
        self,
        graph: Graph,
        part: Slice,
        callees: Callees,
        goal: Goal | None = None,
        context: Context | None = None,
        summarise: bool = False,
    ) -> None:
        self.log = Log(goal)
        self.endings: set[Ending] = set()
        self._graph = graph
        self._part = part
        self._goal = goal
        self._context = context or Context()
        self._transfer = Transfer(graph, part, self.log, summarise)
        self._invoke = Invoke(graph, part, self.log, summarise, callees, self._transfer)

    def run(self) -> Reached[Point, State]:
        """Explore everything.

        Raises:
            BudgetExceeded: there is too much of it.
        """
        points = PER_PLAIN_POINT if self._part.plain else PER_POINT
        return reach(self.starts(), self.step, BUDGET + points * self._part.points())

    def starts(self) -> Iterator[Pair]:
        """The pairs from which everything is reached."""
        groups: dict[int, set[Value]] = {}
        heap: set[Instance] = set()
        for origin in self._part.origins.values():
            if origin.kind is not OriginKind.ARGUMENT:
                continue
            position = origin.value.index
            partition = self._context.partition
            group = partition[position] if position < len(partition) else None
            groups.setdefault(-1 - position if group is None else group, set()).add(origin.value)
        for names in groups.values():
            first = min(names, key=lambda value: value.index)
            heap.add(Instance(self._part.origins[first], frozenset(names), written=True))
        for facts in self._around(dict(self._context.constants)):
            yield Point(self._part.scope.blocks[0], 0), State(frozenset(facts.items()), frozenset(heap))

    def _around(self, facts: Facts) -> list[Facts]:
        """What the conditions around the scope say about the flags inside it."""
        found = [facts]
        region = self._part.scope
        while region.op is not self._graph.function and region.op.parent is not None:
            edges = [e for e in self._graph.entries(region.op) if e.block is region.blocks[0]]
            if len(edges) == 1 and not self._graph.may_repeat(region):
                found = [after for before in found for after in self._guard(edges[0], None, before)]
            region = region.op.parent.region
        return found

    def step(self, point: Point, state: State) -> Iterable[Pair]:
        """The pairs that may follow directly on `(point, state)`."""
        self.log.here = (point, state)
        block, index = point
        stops = self._part.stops.get(block, ())
        if index == len(stops):
            return self._leave(block, state)
        op = stops[index]
        if self._goal is not None and self._goal.place is op and self._goal.kind is not EventKind.LEAK:
            state = state._replace(reached=True)
        calls = self._graph.call(op) is not None
        following: list[Pair] = []
        for after in self._invoke.execute(op, state) if calls else self._transfer.execute(op, state):
            if after.bad:
                continue
            if op.regions:
                following.extend(self._enter(op, after))
            else:
                following.append((Point(block, index + 1), after))
        return following

    def _enter(self, op: Op, state: State) -> Iterator[Pair]:
        for edge in self._graph.entries(op):
            yield from self._follow(edge, None, state)

    def _leave(self, block: Block, state: State) -> Iterator[Pair]:
        if block.region is self._part.scope and not (block.ops and block.ops[-1].successors):
            self._finish(block, state)
            return
        for edge in self._graph.exits(block):
            yield from self._follow(edge, block, state)

    def _follow(self, edge: Edge, source: Block | None, state: State) -> Iterator[Pair]:
        for facts in self._guard(edge, source, dict(state.facts), state):
            after = self._pass(edge, source, state, facts)
            if self._graph.doubtful(edge, source):
                after = after.doubt_freed()
            if edge.block is not None:
                pair = Point(edge.block, 0), after
            elif edge.leaves is not None and edge.leaves.parent is not None:
                pair = Point(edge.leaves.parent, self._part.position[edge.leaves] + 1), after
            else:
                continue
            if not after.bad:
                self.log.taken.setdefault(pair, edge)
                yield pair

    def _guard(self, edge: Edge, source: Block | None, facts: Facts, state: State | None = None) -> Iterator[Facts]:
        """The facts under which the edge is taken; none when they contradict. `state` tells addresses apart."""
        guard, keep = edge.guard, self._transfer.keep
        if guard in (Guard.TRIPS, Guard.DONE):
            loop = edge.place if source is None else source.region.op
            yield from self._trip(loop, guard is Guard.TRIPS, source is not None, facts)
            return
        operands = edge.place.operands
        value = operands[edge.number].value if edge.number < len(operands) else None
        if guard is Guard.ALWAYS or value is None:
            yield facts
            return
        expr = self._graph.expression(value)
        if state is not None:
            expr = self._transfer.resolve(expr, state)
        if guard is not Guard.CASE:
            yield from assume(expr, guard is Guard.TRUE, facts, keep)
        elif edge.case is not None:
            yield from assume(("cmpi", "eq", expr, constant(edge.case)), True, facts, keep)
        else:
            found = [facts]
            for case in edge.others:
                equal: Expr = ("cmpi", "eq", expr, constant(case))
                found = [after for before in found for after in assume(equal, False, before, keep)]
            yield from found

    def _trip(self, loop: Op, more: bool, again: bool, facts: Facts) -> Iterator[Facts]:
        """Whether the loop runs (once more); its counter is advanced where it is followed."""
        trip = self._graph.trip(loop)
        if trip is None:
            yield facts
            return
        counter: Expr = ("leaf", trip.counter)
        lower, upper = simplify(trip.lower, facts), simplify(trip.upper, facts)
        now = lower
        if again:
            before = facts.get(counter)
            if before is None or isinstance(before, Range):
                yield facts
                return
            now = simplify(("addi", before, trip.step), facts)
        stride = trip.step[1] if trip.step[0] == "const" else 1
        limit = stride * (CONSTANT_TRIPS if upper[0] == "const" else UNKNOWN_TRIPS)
        followed = more and loop in self._part.counted and now[0] == "const" and lower[0] == "const"
        for after in assume(("cmpi", "slt", now, upper), more, facts, self._transfer.keep):
            after = {key: fact for key, fact in after.items() if key != counter}
            if followed and now[1] - lower[1] < limit:
                after[counter] = now
            yield after

    def _pass(self, edge: Edge, source: Block | None, state: State, facts: Facts) -> State:
        """Bind what the edge hands over, and let go of what goes out of scope."""
        gone = self._gone(edge)
        buffers = self._buffers(edge, state)
        if edge.leaves is not None:
            state = self._end_scope(edge, buffers, state)
        facts = self._rename(edge, source, facts, state, gone)
        state = self._rebind(state, buffers, gone)
        if self._goal is None and edge.leaves is not None:
            state = self._lift(state, edge.leaves)
        elif self._goal is None and source is not None and len(source.region.blocks) > 1:
            state = _lift_block(state, source)
        return state._replace(facts=frozenset(facts.items()))

    def _lift(self, state: State, around: Op) -> State:
        """Once the regions of an op are left, what happened inside happened at that op.

        Where conditions are free choices, so is the way through the op, and who asks for the last use of a buffer asks
        for the last of all ways: then what the regions name was named. Told apart, n branches would make n states.
        """
        heap = frozenset(
            instance._replace(last=around)
            if (instance.last is not None and is_inside(instance.last, around))
            or (self._part.plain and instance.freed is None and self._part.names_inside(instance.holders, around))
            else instance
            for instance in state.heap
        )
        return state._replace(heap=heap)

    def _buffers(self, edge: Edge, state: State) -> list[Handed]:
        """What each receiving root will denote."""
        found: list[Handed] = []
        for value, receiver in edge.bindings:
            if receiver in self._part.root:
                held = self._transfer.held(value, state) if value is not None else None
                found.append(Handed(receiver, held, value is not None and self._transfer.shifted(value, held)))
        return found

    def _end_scope(self, edge: Edge, buffers: list[Handed], state: State) -> State:
        """An op is left: stack memory of its scope ends, and work it does in the background goes on."""
        op = edge.leaves
        assert op is not None
        effects = self._graph.effects(op)
        if effects.scope:
            for value, held, _ in buffers:
                made = held.origin.value.op if held is not None and held.origin.resource == "stack" else None
                if held is not None and made is not None and is_inside(made, op):
                    self.log.add(EventKind.DANGLING_STACK, edge.place, held, value)
            state = self.log.mark(state)
        if effects.completion:
            work = effects.completion
            for held in state.heap:
                if self._part.names_inside(held.holders, op):
                    state = state.replace(held, held._replace(pending=held.pending | {work}))
        return state

    def _rename(
        self, edge: Edge, source: Block | None, facts: Facts, state: State, gone: frozenset[Block | Region]
    ) -> Facts:
        """The facts on the other side of the edge."""
        counter = self._counter(edge)
        old = dict(state.facts)
        # What is handed over was computed before the counter moved on.
        before = {key: fact for key, fact in facts.items() if key != counter}
        if counter in old:
            before[counter] = old[counter]
        after = {
            key: fact
            for key, fact in facts.items()
            if key == counter or not (self._stale(key, gone) or self._stale(fact, gone))
        }
        for value, receiver in edge.bindings:
            if receiver not in self._part.scalars or value is None:
                continue
            expr = simplify(self._transfer.resolve(self._graph.expression(value), state), before)
            if points(expr):
                continue
            if not self._stale(expr, gone) and expr != ("leaf", receiver) and not self._counts(edge, source, expr):
                after["leaf", receiver] = expr
        return after

    def _rebind(self, state: State, buffers: list[Handed], gone: frozenset[Block | Region]) -> State:
        receivers = frozenset(handed.receiver for handed in buffers)
        heap: set[Instance] = set()
        for instance in state.heap:
            kept = frozenset(h for h in instance.holders if h not in receivers and not self._among(h, gone))
            given = [
                handed for handed in buffers if handed.held is not None and handed.held.holders == instance.holders
            ]
            kept |= {handed.receiver for handed in given}
            moved = (instance.shifted & kept) - receivers | {handed.receiver for handed in given if handed.shifted}
            after = instance if kept == instance.holders else instance.held_by(kept)
            after = after if moved == after.shifted else after._replace(shifted=moved)
            if not after.lost or (after.escaped and self._part.loads):
                heap.add(after)
        return state._replace(heap=frozenset(heap))

    def _counts(self, edge: Edge, source: Block | None, expr: Expr) -> bool:
        """Whether `expr` is a number, or a term, that a loop has counted beyond what is told apart."""
        if size(expr) > MAX_TERM:
            return True
        if expr[0] != "const" or abs(expr[1]) <= CONSTANT_TRIPS or source is None or edge.block is None:
            return False
        return not edge.place.successors or bool(self._graph.cycle(edge.block))

    def _counter(self, edge: Edge) -> Expr:
        trip = self._graph.trip(edge.block.region.op) if edge.block is not None and edge.guard is Guard.TRIPS else None
        return ("leaf", trip.counter if trip is not None else None)

    def _gone(self, edge: Edge) -> frozenset[Block | Region]:
        """What is entered anew or left: names defined there no longer mean what they meant."""
        if edge.block is None:
            return frozenset(edge.leaves.regions if edge.leaves is not None else ())
        return frozenset((edge.block,)) if edge.place.successors else frozenset((edge.block.region,))

    def _stale(self, expr: Expr | Range, gone: frozenset[Block | Region]) -> bool:
        return not isinstance(expr, Range) and any(self._among(leaf, gone) for leaf in leaves(expr))

    def _among(self, value: Value, gone: frozenset[Block | Region]) -> bool:
        return not gone.isdisjoint(self._part.inside(value))

    def _finish(self, block: Block, state: State) -> None:
        """The end of a path."""
        last = block.ops[-1] if block.ops else None
        effects = self._graph.effects(last) if last is not None else None
        results: tuple[Instance | None, ...] = ()
        packed: set[Instance | None] = set()
        if effects is not None and effects.returned and last is not None:
            results = tuple(
                self._transfer.held(use.value, state) if use.value is not None else None for use in last.operands
            )
            packed = {self._transfer.held(value, state) for value in effects.packed}
        stops = effects is not None and effects.stops
        for instance in state.heap:
            if instance.freed is None and not instance.escaped and instance.origin.owned and not stops:
                op = instance.origin.value.op
                if op is not None and instance not in results and instance not in packed:
                    self.log.add(EventKind.LEAK, op, instance, None, cause=last)
        if state.reached and not self.log.mark(state).bad:
            self.log.escaped_goal = True
        self.endings.add(Ending(state, last, results))


def is_inside(op: Op, around: Op) -> bool:
    """Whether `op` is nested in `around`."""
    parent = op.parent
    while parent is not None:
        if parent.region.op is around:
            return True
        parent = parent.region.op.parent
    return False


def _lift_block(state: State, source: Block) -> State:
    """Once a block is left, it no longer matters where in it a buffer was named, only that it was in this region."""
    first = source.region.blocks[0]
    mark = first.ops[-1] if first.ops else None
    heap = frozenset(
        instance._replace(last=mark)
        if instance.last is not None and ancestor(instance.last, source) is not None
        else instance
        for instance in state.heap
    )
    return state._replace(heap=heap)
