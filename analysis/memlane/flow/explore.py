"""Following the buffers of a cluster along every path of a function: what can happen to each.

`Explorer.transfer` is the transfer function that `solver.reach` runs to its fixpoint: from a point and a state to
the points and states that may follow. What goes wrong on the way is collected as `Event`s, each with the pair at
which it was first seen, so that the path there can be shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple

from memlane.dialects.model import Guard
from memlane.flow.alias import Origin, OriginKind
from memlane.flow.calls import Callees, Effect, Outcome
from memlane.flow.graph import Edge, FreeOf, Graph
from memlane.flow.scalar import Env, Expr, Facts, Range, assume, constant, leaves, simplify
from memlane.flow.slice import Slice
from memlane.flow.solver import Reached, reach
from memlane.flow.state import Instance, State
from memlane.syntax.tree import Block, Op, Region, Value

CONSTANT_TRIPS = 20
"""Iterations of a loop with constant bounds that are told apart; the rest is taken as any number of iterations."""
UNKNOWN_TRIPS = 3
"""The same for loops whose bounds are not known."""
BUDGET = 30_000
"""Pairs of point and state that one exploration may expand."""


class EventKind(Enum):
    """What may go wrong with a buffer."""

    USE_AFTER_FREE = "use-after-free"
    DOUBLE_FREE = "double-free"
    ARGUMENT_FREE = "argument-free"
    INVALID_FREE = "invalid-free"
    MISMATCHED_FREE = "mismatched-free"
    LEAK = "leak"


class Event(NamedTuple):
    """Something that goes wrong on some path.

    Args:
        place: the op that does it; for a leak the op that made the buffer.
        value: the name by which `place` knows the buffer.
        cause: the op that freed the buffer before.
        inside: the op of the callee that does it, when `place` is a call.
        unsure: it rests on an op nobody described.
    """

    kind: EventKind
    place: Op
    origin: Origin
    value: Value | None = None
    cause: Op | None = None
    inside: Op | None = None
    unsure: bool = False


class Goal(NamedTuple):
    """What is being graded: events of a kind at a place. For a leak, `place` makes the buffer."""

    kind: EventKind
    place: Op


class Point(NamedTuple):
    """Before the op `index` of the block's stops (exclusive of the end: the block's last op has run)."""

    block: Block
    index: int


class Ending(NamedTuple):
    """The way out of the function: the buffers handed to the caller, by operand of the returning op."""

    state: State
    exit: Op | None
    results: tuple[Instance | None, ...]


Pair = tuple[Point, State]


class Explorer:
    """One exploration.

    Args:
        graph, part: the function and the slice to follow.
        callees: what the functions called do.
        goal: look for paths that pass its place without its event; None: collect all events.
        partition: groups of arguments that are the same buffer, by position.
        constants: what is known of scalar arguments.
        summarise: facts about arguments matter to the caller.
    """

    def __init__(
        self,
        graph: Graph,
        part: Slice,
        callees: Callees,
        goal: Goal | None = None,
        partition: tuple[int | None, ...] = (),
        constants: Env | None = None,
        summarise: bool = False,
    ) -> None:
        self.graph = graph
        self.part = part
        self.events: dict[Event, Pair] = {}
        self.taken: dict[Pair, Edge] = {}
        self.endings: set[Ending] = set()
        self.last_uses: dict[Op, dict[Op | None, Instance]] = {}
        self.named_after: set[Op] = set()
        self._callees = callees
        self._goal = goal
        self._partition = partition
        self._constants = dict(constants or {})
        self._summarise = summarise
        self._formals = frozenset(graph.entry.arguments) if graph.entry is not None else frozenset[Value]()
        self._here: Pair | None = None
        self._hit = False
        self.escaped_goal = False

    def run(self, budget: int = BUDGET) -> Reached[Point, State]:
        """Explore everything.

        Raises:
            BudgetExceeded: there is too much of it.
        """
        return reach(self._starts(), self.transfer, budget)

    def _starts(self) -> Iterator[Pair]:
        block = self.part.scope.blocks[0]
        state = State(frozenset(self._constants.items()), frozenset())
        groups: dict[int, Instance] = {}
        for origin in self.part.origins.values():
            if origin.kind is not OriginKind.ARGUMENT:
                continue
            position = origin.value.index
            group = self._partition[position] if position < len(self._partition) else None
            instance = groups.get(group) if group is not None else None
            before = instance or Instance(origin, frozenset())
            instance = before._replace(holders=before.holders | {origin.value})
            state = state._replace(heap=(state.heap - {before}) | {instance})
            if group is not None:
                groups[group] = instance
        for facts in self._around(dict(state.facts)):
            yield Point(block, 0), state._replace(facts=frozenset(facts.items()))

    def _around(self, facts: Facts) -> list[Facts]:
        """What the conditions around the scope say about the flags inside it."""
        found = [facts]
        region = self.part.scope
        while region.op is not self.graph.function and region.op.parent is not None:
            edges = [e for e in self.graph.entries(region.op) if e.block is region.blocks[0]]
            if len(edges) == 1 and not self.graph.may_repeat(region):
                found = [after for before in found for after in self._guard(edges[0], None, before)]
            region = region.op.parent.region
        return found

    def transfer(self, point: Point, state: State) -> Iterable[Pair]:
        """The pairs that may follow directly on `(point, state)`."""
        self._here = (point, state)
        block, index = point
        stops = self.part.stops.get(block, ())
        if index == len(stops):
            return self._leave(block, state)
        op = stops[index]
        if self._goal is not None and self._goal.place is op and self._goal.kind is not EventKind.LEAK:
            state = state._replace(reached=True)
        following: list[Pair] = []
        for after in self._execute(op, state):
            if after.bad:
                continue
            if op.regions:
                following.extend(self._enter(op, after))
            else:
                following.append((Point(block, index + 1), after))
        return following

    def _enter(self, op: Op, state: State) -> Iterator[Pair]:
        for edge in self.graph.entries(op):
            yield from self._follow(edge, None, state)

    def _leave(self, block: Block, state: State) -> Iterator[Pair]:
        edges = self.graph.exits(block)
        if block.region is self.part.scope and not (block.ops and block.ops[-1].successors):
            self._finish(block, state)
            return
        for edge in edges:
            yield from self._follow(edge, block, state)

    def _follow(self, edge: Edge, source: Block | None, state: State) -> Iterator[Pair]:
        for facts in self._guard(edge, source, dict(state.facts)):
            after = self._pass(edge, source, state, facts)
            if edge.block is not None:
                pair = Point(edge.block, 0), after
            elif edge.leaves is not None and edge.leaves.parent is not None:
                pair = Point(edge.leaves.parent, self.part.position[edge.leaves] + 1), after
            else:
                continue
            self.taken.setdefault(pair, edge)
            yield pair

    def _guard(self, edge: Edge, source: Block | None, facts: Facts) -> Iterator[Facts]:
        """The facts under which the edge is taken; none when they contradict."""
        guard = edge.guard
        if guard in (Guard.TRIPS, Guard.DONE):
            loop = edge.place if source is None else source.region.op
            yield from self._trip(loop, guard is Guard.TRIPS, source is not None, facts)
            return
        operands = edge.place.operands
        value = operands[edge.number].value if edge.number < len(operands) else None
        if guard is Guard.ALWAYS or value is None:
            yield facts
            return
        expr = self.graph.expression(value)
        if guard is not Guard.CASE:
            yield from assume(expr, guard is Guard.TRUE, facts, self._keep)
        elif edge.case is not None:
            yield from assume(("cmpi", "eq", expr, constant(edge.case)), True, facts, self._keep)
        else:
            found = [facts]
            for case in edge.others:
                equal: Expr = ("cmpi", "eq", expr, constant(case))
                found = [after for before in found for after in assume(equal, False, before, self._keep)]
            yield from found

    def _trip(self, loop: Op, more: bool, again: bool, facts: Facts) -> Iterator[Facts]:
        """Whether the loop runs (once more); its counter is advanced where it is followed."""
        trip = self.graph.trip(loop)
        if trip is None:
            yield facts
            return
        _, lower, upper, step, counter = trip
        lower, upper = simplify(lower, facts), simplify(upper, facts)
        now = lower
        if again:
            before = facts.get(("leaf", counter))
            if before is None or not isinstance(before, tuple):
                yield facts
                return
            now = simplify(("addi", before, step), facts)
        limit = CONSTANT_TRIPS if upper[0] == "const" else UNKNOWN_TRIPS
        for after in assume(("cmpi", "slt", now, upper), more, facts, self._keep):
            after = {key: fact for key, fact in after.items() if key != ("leaf", counter)}
            if more and loop in self.part.counted and now[0] == "const" and lower[0] == "const":
                if now[1] - lower[1] < limit * (step[1] if step[0] == "const" else 1):
                    after["leaf", counter] = now
            yield after

    def _pass(self, edge: Edge, source: Block | None, state: State, facts: Facts) -> State:
        """Bind what the edge hands over, and let go of what goes out of scope."""
        part = self.part
        counter: Expr = ("leaf", self._counter(edge))
        before = {key: fact for key, fact in facts.items() if key != counter}
        before.update((key, fact) for key, fact in state.facts if key == counter)
        scalars: list[tuple[Value, Expr]] = []
        buffers: list[tuple[Value, Value | None]] = []
        for value, receiver in edge.bindings:
            if receiver in part.root:
                buffers.append((receiver, part.root.get(value) if value is not None else None))
            if receiver in part.scalars and value is not None:
                scalars.append((receiver, simplify(self.graph.expression(value), before)))
        bound = [(receiver, state.holding(root) if root is not None else None) for receiver, root in buffers]
        names = [(receiver, instance.holders if instance else None) for receiver, instance in bound]
        gone = self._gone(edge)
        facts = {
            key: fact
            for key, fact in facts.items()
            if key == counter
            or not (self._stale(key, gone) or (not isinstance(fact, Range) and self._stale(fact, gone)))
        }
        for receiver, expr in scalars:
            if not self._stale(expr, gone) and expr != ("leaf", receiver) and not self._counts(edge, source, expr):
                facts["leaf", receiver] = expr
        state = self._rebind(state, names, gone)
        if edge.leaves is not None and self._goal is None:
            state = _lift(state, edge.leaves)
        elif source is not None and self._goal is None and len(source.region.blocks) > 1:
            state = _lift_block(state, source)
        return state._replace(facts=frozenset(facts.items()))

    def _rebind(
        self, state: State, names: list[tuple[Value, frozenset[Value] | None]], gone: frozenset[Block | Region]
    ) -> State:
        heap: set[Instance] = set()
        for instance in state.heap:
            kept = frozenset(h for h in instance.holders if not self._among(h, gone))
            added = frozenset(receiver for receiver, holders in names if holders == instance.holders and holders)
            kept = (kept - frozenset(receiver for receiver, _ in names)) | added
            instance = instance if kept == instance.holders else instance._replace(holders=kept)
            if kept or (instance.freed is None and not instance.escaped and instance.origin.owned):
                heap.add(instance)
        return state._replace(heap=frozenset(heap))

    def _counts(self, edge: Edge, source: Block | None, expr: Expr) -> bool:
        """Whether `expr` is a number that a loop has counted beyond what is told apart."""
        if expr[0] != "const" or abs(expr[1]) <= CONSTANT_TRIPS or source is None or edge.block is None:
            return False
        return not edge.place.successors or bool(self.graph.cycle(edge.block))

    def _counter(self, edge: Edge) -> Value | None:
        trip = self.graph.trip(edge.block.region.op) if edge.block is not None and edge.guard is Guard.TRIPS else None
        return trip[4] if trip is not None else None

    def _gone(self, edge: Edge) -> frozenset[Block | Region]:
        """What is entered anew or left: names defined there no longer mean what they meant."""
        if edge.leaves is not None:
            return frozenset(edge.leaves.regions)
        assert edge.block is not None
        return frozenset((edge.block,)) if edge.place.successors else frozenset((edge.block.region,))

    def _stale(self, expr: Expr, gone: frozenset[Block | Region]) -> bool:
        return any(self._among(leaf, gone) for leaf in leaves(expr))

    def _among(self, value: Value, gone: frozenset[Block | Region]) -> bool:
        return not gone.isdisjoint(self.part.inside(value))

    def _keep(self, expr: Expr) -> bool:
        shared = self.part.shared
        return any(leaf in shared or (self._summarise and leaf in self._formals) for leaf in leaves(expr))

    def _execute(self, op: Op, state: State) -> Iterable[State]:
        """The states after the op itself; its regions come later."""
        effects = self.graph.effects(op)
        states: Iterable[State] = (state,)
        model = self.graph.model(op)
        if model is not None and model.call is not None:
            state = self._name(op, state, ())
            return list(self._call(op, state))
        state = self._name(op, state, effects.touches, effects.unknown)
        state = self._hand_out(op, effects.returned, state)
        for value in effects.escapes:
            held = self._held(value, state)
            if held is not None:
                state = state.replace(held, held._replace(escaped=True))
        states = (state,)
        if effects.frees:
            states = [after for before in states for after in self._free(op, effects.frees, before)]
        for value, alloc in effects.allocs:
            if value in self.part.root:
                states = [self._allocate(op, value, before) for before in states]
        for result, sources, _ in effects.views:
            if self.part.root.get(result) is result:
                states = [a for b in states for a in self._join(op, result, sources, b, effects.unknown)]
        return states

    def _held(self, value: Value, state: State) -> Instance | None:
        root = self.part.root.get(value)
        return state.holding(root) if root is not None else None

    def _name(self, op: Op, state: State, touches: tuple[Value, ...], unknown: bool = False) -> State:
        """The op names buffers and touches the memory of some."""
        touched = {held for value in touches if (held := self._held(value, state)) is not None}
        named = {held for use in op.operands if use.value and (held := self._held(use.value, state)) is not None}
        for successor in op.successors:
            named |= {h for u in successor.operands if u.value and (h := self._held(u.value, state)) is not None}
        for value in touches:
            held = self._held(value, state)
            if held is not None and held.freed is not None:
                self._event(EventKind.USE_AFTER_FREE, op, held, value, unsure=unknown)
        frees = bool(self.graph.effects(op).frees)
        for held in named | touched:
            if held.freed is not None and not frees:
                again = _ancestor(op, held.freed.parent)
                if again is not None and again.index > held.freed.index:
                    self.named_after.add(held.freed)
            first = op if self._summarise and held in touched and held.first is None else held.first
            after = held._replace(
                unsure=held.unsure or (unknown and held in touched),
                first=first,
                last=None if self._goal is not None else held.last if frees else op,
            )
            state = state.replace(held, after)
        return self._mark(state)

    def _hand_out(self, op: Op, returned: tuple[Value, ...], state: State) -> State:
        """A freed buffer that is handed to the caller is used there."""
        for value in returned:
            held = self._held(value, state)
            if held is not None and held.freed is not None:
                self._event(EventKind.USE_AFTER_FREE, op, held, value)
        return self._mark(state)

    def _mark(self, state: State) -> State:
        """Take note that the goal's event has just happened on this path."""
        hit, self._hit = self._hit, False
        return state._replace(bad=True) if hit else state

    def _allocate(self, op: Op, value: Value, state: State) -> State:
        state = state.bind(value, None)
        instance = Instance(self.part.origins[value], frozenset((value,)), last=op if self._goal is None else None)
        reached = state.reached or self._goal == (EventKind.LEAK, op)
        return state._replace(heap=state.heap | {instance}, reached=reached)

    def _join(self, op: Op, result: Value, sources: tuple[Value, ...], state: State, unknown: bool) -> Iterator[State]:
        """`result` becomes one of `sources`; which one, a condition may tell."""
        model = self.graph.model(op)
        condition = op.operands[0].value if op.operands else None
        if model is not None and model.compute == "select" and len(sources) == 2 and condition is not None:
            for choice, source in zip((True, False), sources, strict=True):
                expr = self.graph.expression(condition)
                for facts in assume(expr, choice, dict(state.facts), self._keep):
                    after = state._replace(facts=frozenset(facts.items()))
                    yield after.bind(result, self._held(source, after))
            return
        held = {self._held(source, state) for source in sources}
        if unknown:
            held.add(None)
        for instance in held:
            yield state.bind(result, instance, unsure=unknown)

    def _free(self, op: Op, frees: tuple[FreeOf, ...], state: State) -> list[State]:
        """The op frees each buffer at most once, and none that it retains."""
        states = [(state, frozenset[frozenset[Value]]())]
        for free in frees:
            after: list[tuple[State, frozenset[frozenset[Value]]]] = []
            for before, done in states:
                held = self._held(free.value, before)
                if held is None or held.holders in done or any(self._held(v, before) == held for v in free.retained):
                    after.append((before, done))
                    continue
                for facts, taken in self._whether(free.condition, before):
                    then = before._replace(facts=frozenset(facts.items()))
                    now = self._release(op, free, held, then) if taken else then
                    after.append((now, done | {held.holders} if taken else done))
            states = after
        return [state for state, _ in states]

    def _whether(self, condition: Value | None, state: State) -> Iterator[tuple[Facts, bool]]:
        facts = dict(state.facts)
        if condition is None:
            yield facts, True
            return
        expr = self.graph.expression(condition)
        for choice in (True, False):
            for after in assume(expr, choice, facts, self._keep):
                yield after, choice

    def _release(self, op: Op, free: FreeOf, held: Instance, state: State) -> State:
        """One buffer is freed."""
        origin = held.origin
        if self._goal is None:
            self.last_uses.setdefault(op, {})[_ancestor(held.last, op.parent)] = held
        if held.freed is not None:
            self._event(EventKind.DOUBLE_FREE, op, held, free.value)
        if origin.kind is OriginKind.ARGUMENT:
            self._event(EventKind.ARGUMENT_FREE, op, held, free.value)
        elif origin.resource in ("stack", "global"):
            self._event(EventKind.INVALID_FREE, op, held, free.value)
            return self._mark(state)
        elif held.freed is None and origin.kind is OriginKind.ALLOCATION and origin.resource != free.resource:
            self._event(EventKind.MISMATCHED_FREE, op, held, free.value)
        return self._mark(state.replace(held, held._replace(freed=op)))

    def _event(
        self,
        kind: EventKind,
        place: Op,
        held: Instance,
        value: Value | None,
        inside: Op | None = None,
        unsure: bool = False,
        cause: Op | None = None,
    ) -> None:
        assert self._here is not None
        event = Event(kind, place, held.origin, value, cause or held.freed, inside, unsure or held.unsure)
        self.events.setdefault(event, self._here)
        self._hit = self._hit or self._goal == (kind, place)

    def _call(self, op: Op, state: State) -> Iterator[State]:
        model = self.graph.model(op)
        assert model is not None and model.call is not None
        part = self.part
        uses = op.operands[model.call.arguments.start : model.call.arguments.stop]
        held = [self._held(use.value, state) if use.value is not None else None for use in uses]
        buffers = list(dict.fromkeys(instance for instance in held if instance is not None))
        partition = tuple(buffers.index(instance) if instance is not None else None for instance in held)
        facts = dict(state.facts)
        scalars = tuple(
            simplify(self.graph.expression(use.value), facts) if use.value is not None else None for use in uses
        )
        # Of scalars only flags: what a callee counts is not followed into its caller.
        wanted = tuple(
            i for i, r in enumerate(op.results) if r in part.root or (r in part.scalars and r.type == "i1")
        )
        for outcome in self._callees.outcomes(op, partition, scalars, wanted):
            for after in self._assume_all(outcome, scalars, facts):
                yield self._apply(op, outcome, buffers, [use.value for use in uses], scalars, state, after)

    def _assume_all(self, outcome: Outcome, scalars: tuple[Expr | None, ...], facts: Facts) -> list[Facts]:
        found = [facts]
        for formal, truth in outcome.conditions:
            expr = substitute(formal, scalars)
            if expr is not None:
                found = [after for before in found for after in assume(expr, truth, before, self._keep)]
        return found

    def _apply(
        self,
        op: Op,
        outcome: Outcome,
        buffers: list[Instance],
        values: list[Value | None],
        scalars: tuple[Expr | None, ...],
        state: State,
        facts: Facts,
    ) -> State:
        facts = {k: f for k, f in facts.items() if not any(leaf.op is op for leaf in leaves(k))}
        for index, expr in outcome.scalars:
            found = substitute(expr, scalars)
            if op.results[index] in self.part.scalars and found is not None:
                facts["leaf", op.results[index]] = simplify(found, facts)
        state = state._replace(facts=frozenset(facts.items()))
        renamed: list[Instance] = []
        for instance, effect in zip(buffers, outcome.groups, strict=True):
            value = next((v for v in values if v is not None and self._held(v, state) == instance), None)
            after = self._effect(op, instance, effect, value)
            state = state.replace(instance, after)
            renamed.append(after)
        fresh: dict[int, list[Value]] = {}
        for index, source in outcome.results:
            result = op.results[index]
            if result not in self.part.root:
                continue
            state = state.bind(result, None)
            if source is None:
                continue
            if source.fresh:
                fresh.setdefault(source.index, []).append(result)
            else:
                current = self._same(state, renamed[source.index], result)
                state = state.bind(result, current)
        for names in fresh.values():
            made = Instance(self.part.origins[names[0]], frozenset(names), last=op if self._goal is None else None)
            state = state._replace(heap=state.heap | {made})
        reached = state.reached or (self._goal == (EventKind.LEAK, op) and bool(fresh))
        return self._mark(state._replace(reached=reached))

    def _same(self, state: State, instance: Instance, result: Value) -> Instance | None:
        """`instance` as it is after `result` was unbound or bound to it by an earlier result."""
        names = instance.holders - {result}
        return next((i for i in state.heap if i.origin is instance.origin and names <= i.holders), None)

    def _effect(self, op: Op, held: Instance, effect: Effect, value: Value | None) -> Instance:
        """What the callee did to one buffer."""
        if held.freed is not None:
            if effect.first is not None:
                self._event(EventKind.USE_AFTER_FREE, op, held, value, effect.first, effect.unsure)
            if effect.freed is not None:
                self._event(EventKind.DOUBLE_FREE, op, held, value, effect.freed, effect.unsure)
        elif effect.freed is not None and held.origin.kind is OriginKind.ARGUMENT:
            self._event(EventKind.ARGUMENT_FREE, op, held, value, effect.freed, effect.unsure)
        elif effect.freed is not None and held.origin.resource in ("stack", "global"):
            self._event(EventKind.INVALID_FREE, op, held, value, effect.freed, effect.unsure)
            return held
        first = effect.first if self._summarise and held.first is None else held.first
        return held._replace(
            freed=held.freed or (op if effect.freed is not None else None),
            escaped=held.escaped or effect.escaped,
            unsure=held.unsure or effect.unsure,
            first=first,
        )

    def _finish(self, block: Block, state: State) -> None:
        """The end of a path."""
        last = block.ops[-1] if block.ops else None
        effects = self.graph.effects(last) if last is not None else None
        results: tuple[Instance | None, ...] = ()
        if effects is not None and effects.returned and last is not None:
            results = tuple(self._held(use.value, state) if use.value is not None else None for use in last.operands)
        returned = frozenset(instance for instance in results if instance is not None)
        for instance in state.heap:
            if instance.freed is None and not instance.escaped and instance.origin.owned and instance not in returned:
                op = instance.origin.value.op
                assert op is not None
                self._event(EventKind.LEAK, op, instance, None, cause=last)
        if state.reached and not self._hit:
            self.escaped_goal = True
        self._hit = False
        self.endings.add(Ending(state, last, results))


def _ancestor(op: Op | None, block: Block | None) -> Op | None:
    """The op of `block` that is or holds `op`; None when none does."""
    while op is not None and op.parent is not block:
        op = op.parent.region.op if op.parent is not None else None
    return op


def _lift(state: State, around: Op) -> State:
    """Once the regions of an op are left, what happened inside happened at that op."""
    heap = frozenset(
        instance._replace(last=around) if instance.last is not None and _inside(instance.last, around) else instance
        for instance in state.heap
    )
    return state._replace(heap=heap)


def _inside(op: Op, around: Op) -> bool:
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
        if instance.last is not None and _ancestor(instance.last, source) is not None
        else instance
        for instance in state.heap
    )
    return state._replace(heap=heap)


def substitute(expr: Expr, arguments: tuple[Expr | None, ...]) -> Expr | None:
    """A callee's expression in the caller's terms: formal arguments replaced; None where one is not known."""
    if expr[0] == "formal":
        return arguments[expr[1]] if expr[1] < len(arguments) else None
    parts: list[object] = []
    for part in expr:
        found = substitute(part, arguments) if isinstance(part, tuple) else part
        if found is None:
            return None
        parts.append(found)
    return tuple(parts)
