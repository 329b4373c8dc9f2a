"""Following the buffers of a cluster along every path of a function: what can happen to each.

`Explorer.step` is the transfer function that `solver.reach` runs to its fixpoint: from a point and a state to the
points and states that may follow. It takes the edges of the graph, guarded by what the path knows; what operations
do is `Transfer`'s and `Invoke`'s. What goes wrong on the way is in `log`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from memlane.dialects.model import Guard
from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.incomplete_cfg import breaks_off
from memlane.flow.cfg.region_edges import is_inside
from memlane.flow.dataflow.call_outcomes import Callees
from memlane.flow.dataflow.context import Context
from memlane.flow.dataflow.events import Event, EventKind, Log, Pair, Point, Purpose
from memlane.flow.dataflow.solver import BudgetExceeded, Reached, reach
from memlane.flow.dataflow.state import Heap, Instance, State, begun, ordered
from memlane.flow.effects.aggregate_buffers import handed_back
from memlane.flow.effects.effects import NO_EFFECTS
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.scalars.assertions import remembered
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.slicing.canonical_free import Freed
from memlane.flow.slicing.counters import counted_on, passed_by, trips
from memlane.flow.slicing.edge_effect import Handed, Passage, passages_of
from memlane.flow.slicing.entry_facts import entered
from memlane.flow.slicing.liveness import Fading, fading_of
from memlane.flow.slicing.loop_acceleration import Steady
from memlane.flow.slicing.loop_counter import Step, turning_points
from memlane.flow.slicing.memory_facts import carried
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.branch_assumption import assume, assume_case
from memlane.flow.symbolic.range import Range
from memlane.flow.symbolic.scalar import FALSE, TRUE, Expr, Facts, points, simplify
from memlane.flow.typestate.apply_summary import Invoke
from memlane.flow.typestate.exit_state import ExitState, given
from memlane.flow.typestate.limits import (
    MAX_BUFFERS_PER_STATE,
    MAX_PAIRS,
    MIN_HEAVY_STATE,
    MIN_STEPS_BEFORE_ACCELERATION,
    MIN_STEPS_BEFORE_LIVENESS,
)
from memlane.flow.typestate.switch_folding import Cases
from memlane.flow.typestate.transfer import Transfer
from memlane.syntax.tree.tree import Block, Op, Region, Value

PAIRS_PER_POINT = 4
PAIRS_PER_PLAIN_POINT = 16
"""The last resort, with all conditions taken as free choices, may cost more."""
BUFFERS_PER_FORWARD = 8
"""Buffers that could be visited while one is forwarded: with more than `MAX_BUFFERS_PER_STATE` at a time this is
limited."""
BUFFERS_PER_OUTCOME = 10
"""The same while one way of a call is asked for its conditions."""


class Explorer:
    """One exploration.

    Args:
        graph, part: the function and the slice to follow.
        callees: what the functions called do.
        purpose: what it is for.
        context: how the function is entered.
        summarise: facts about arguments matter to the caller.

    Attributes:
        invoke: what calls do.
        begun: the steps of `run` before it was asked what paths may forget; those that it gives come on top.
        many: see `MAX_BUFFERS_PER_STATE`.
        retraceable: once all has been explored, steps that are taken again lead to the pairs that were reached.
    """

    many = MAX_BUFFERS_PER_STATE
    retraceable = True

    def __init__(
        self,
        graph: Graph,
        part: Slice,
        callees: Callees,
        purpose: Purpose = Purpose.FINDINGS,
        context: Context | None = None,
        summarise: bool = False,
    ) -> None:
        self.log, self.endings = Log(purpose), set[ExitState]()
        self.begun = self._handed_on = 0  # the latter in the step under way, as far as that counts
        self._graph, self._part, self._summarise = graph, part, summarise
        self._ways: dict[tuple[Passage, frozenset[object]], tuple[Facts, ...]] = {}
        self._passages, self._fading = passages_of(part, summarise), fading_of(part)[summarise]
        self._steady: Steady | None = None
        self._freed: Freed | None = None
        self._cases = Cases(graph)
        self._context = context or Context()
        self._transfer = Transfer(graph, part, self.log, summarise, self._context.pairs, callees)
        self.invoke = Invoke(graph, part, self.log, summarise, callees, self._transfer)

    @property
    def budget(self) -> int:
        """How many steps one exploration may take."""
        return MAX_PAIRS + (PAIRS_PER_PLAIN_POINT if self._part.plain else PAIRS_PER_POINT) * self._part.points()

    def run(self, most: int | None = None) -> Reached[Point, State]:
        """Explore everything.

        Args:
            most: so many steps, if that is less than the budget.

        Raises:
            BudgetExceeded: there is too much of it.
        """
        most = 2 * self.budget if most is None else most
        few = MIN_STEPS_BEFORE_LIVENESS + 2 * self._part.points()
        if self._fading is None and few < min(most, self.budget):
            light = MIN_HEAVY_STATE * few

            def begin(point: Point, state: State) -> Iterable[Pair]:
                nonlocal light
                light -= len(state.heap) + len(state.facts)
                if light < 0:
                    raise BudgetExceeded
                self.begun += 1
                return self.step(point, state)

            try:
                found = reach(self.starts(), begin, few)
                self.begun = 0
                return found
            except BudgetExceeded:
                self._fading = Fading(self._graph, self._part, self._summarise)
                fading_of(self._part)[self._summarise] = self._fading
                self.log.clear()
                self.endings.clear()
        found = reach(self.starts(), self._patiently(), min(most - self.begun, self.budget))
        self._close()
        return found

    def _patiently(self) -> Callable[[Point, State], Iterable[Pair]]:
        """`step`; from some number of steps on, iterations that change nothing are not distinguished."""
        self._steady, self._handed_on, asked = None, 0, self.invoke.tried
        self._freed = Freed(self._graph.function) if self._fading is not None else None
        left = max(1, MIN_STEPS_BEFORE_ACCELERATION + self._part.points())
        heavy = self.many * self.budget

        def step(point: Point, state: State) -> Iterable[Pair]:
            nonlocal left, heavy, asked
            left -= 1
            if left == 0:
                self._steady = Steady(self._graph, self._part)
            heavy -= (
                len(state.heap)
                + BUFFERS_PER_FORWARD * self._handed_on
                + BUFFERS_PER_OUTCOME * (self.invoke.tried - asked)
            )
            self._handed_on, asked = 0, self.invoke.tried
            if heavy < 0:
                raise BudgetExceeded
            return self.step(point, state)

        return step

    def _close(self) -> None:
        """All has been explored: steps that are taken again lead where they led."""
        if self._steady is not None:
            self._steady.closed = True

    def starts(self) -> Iterator[Pair]:
        """The pairs from which everything is reached."""
        groups, heap = dict[int, set[Value]](), set[Instance]()
        for origin in self._part.origins.values():
            if origin.kind is not OriginKind.ARGUMENT:
                continue
            position, partition = origin.value.index, self._context.partition
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
        for expr, edge in self._part.before:
            found = [after for before in found for after in self._decide(expr, edge, before)]
        return [entered(self._graph, self._part, one) for one in found]

    @property
    def callers(self) -> tuple[str, ...]:
        """The functions that pass one buffer as several arguments."""
        return self._context.callers

    def passed_as(self, argument: Value) -> tuple[Value, ...]:
        """The arguments that are one buffer with an argument, by how the function is entered; none: it is alone."""
        entry, partition = self._graph.entry, self._context.partition
        if entry is None or argument.block is not entry or not self._context.pairs:
            return ()
        group = partition[argument.index] if argument.index < len(partition) else None
        if group is None or partition.count(group) < 2:
            return ()
        return tuple(one for one, number in zip(entry.arguments, partition, strict=False) if number == group)

    def whence(self, reached: Reached[Point, State]) -> Callable[[Event], tuple[Origin, Collection[Origin]]]:
        """What tells where the buffer of an event that has been seen was made, on the path to it and on any."""
        return lambda event: (event.origin, [event.origin])

    def told_apart(self, reached: Reached[Point, State]) -> int:
        """A lower bound of the pairs reached if all buffers are distinguished."""
        return len(reached.pairs)

    def step(self, point: Point, state: State) -> Iterable[Pair]:
        """The pairs that may follow directly on `(point, state)`."""
        self.log.here = (point, state)
        return self._step(point, state)

    def _step(self, point: Point, state: State) -> Iterable[Pair]:
        block, index = point
        stops = self._part.stops.get(block, ())
        if index == len(stops):
            return self._leave(block, state)
        op = stops[index]
        state = carried(self._graph, self._part, op, state, self._transfer.resolve)
        calls = self._graph.call(op) is not None
        following: list[Pair] = []
        told = self.log.told
        states, staying = self.invoke.execute(op, state) if calls else (self._transfer.execute(op, state), ())
        for last in staying:
            self._end(ExitState(last, None, (), stays=True))
        for after in states:
            if op.regions:
                following.extend(self._enter(op, after))
            else:
                there = Point(block, index + 1)
                following.append((there, self.arrived(there, self._forget(after, there))))
                if told is not None:
                    told.following.append(told.of(after))
        return following

    def arrived(self, point: Point, state: State) -> State:
        """The state in which control is taken to come to a point in one."""
        return state

    def _forget(self, state: State, point: Point) -> State:
        """What is left of the state at a point to which the op before it leads."""
        return self._fading.at(state, point) if self._fading is not None else state

    def _enter(self, op: Op, state: State) -> Iterator[Pair]:
        for edge in self._cases.taken(self._graph.entries(op), state):
            yield from self._follow(edge, None, state)

    def ends(self, block: Block) -> bool:
        """Whether paths end at the end of a block, or the text does not say how they go on."""
        return self._returns(block) or breaks_off(self._graph, block)

    def _returns(self, block: Block) -> bool:
        return block.region is self._part.scope and not self._graph.goes_on(block)

    def _leave(self, block: Block, state: State) -> Iterator[Pair]:
        if not self._returns(block):
            for edge in self._cases.taken(self._part.exits(block), state):
                yield from self._follow(edge, block, state)
        elif not self._graph.lacks_yield(block):
            self._finish(block, state)
        if breaks_off(self._graph, block):
            self.log.ended = frozenset()

    def _passage(self, edge: Edge, source: Block | None) -> Passage:
        """What taking the edge means here."""
        found = self._passages.get(edge)
        if found is None:
            found = self._passages[edge] = Passage(self._graph, self._part, edge, source)
        return found

    def _follow(self, edge: Edge, source: Block | None, state: State) -> Iterator[Pair]:
        passage = self._passage(edge, source)
        if passage.unmade:
            state = state.without(passage.unmade)
        elif passage.given is not None:
            state = self.log.given(state, passage.given)
        state = state.kept() if passage.suspends else state
        if passage.pointing:
            ways = self._guard(passage, dict(state.facts), state)
        else:
            ways = self._ways.get((passage, state.facts))
            if ways is None:
                ways = self._ways[passage, state.facts] = tuple(self._guard(passage, dict(state.facts)))
        for facts in ways:
            after = self._pass(passage, state, facts)
            if passage.doubtful:
                after = after.doubt_freed()
            if passage.target is not None:
                if self._fading is not None and edge.block is None:
                    after = self._forget(after, passage.target)
                elif self._fading is not None:
                    after = self._fading.beyond(after, edge, source)
                if self._steady is not None:
                    after = self._steady.settle(self.log.here, passage, state, after)
                if self._freed is not None:
                    after = self._freed.first(passage.target, after)
                pair = passage.target, self.arrived(passage.target, after)
                self.log.taken.setdefault(pair, edge)
                yield pair

    def _guard(self, passage: Passage, facts: Facts, state: State | None = None) -> Iterator[Facts]:
        """The facts under which the edge is taken; none when they contradict. `state` tells addresses apart."""
        if passage.asserted:
            yield from self._where_asserted(passage, facts)
        else:
            yield from self._taken(passage, facts, state)

    def _taken(self, passage: Passage, facts: Facts, state: State | None = None) -> Iterator[Facts]:
        """The same, whatever has been asserted."""
        expr = passage.asked
        if passage.trip is not None:
            yield from trips(passage, self._part, facts, self._transfer.keep)
        elif expr is None:
            yield facts
        elif passage.first is None or _may_have_begun(passage.edge, passage.first, facts):
            if state is not None and passage.pointing:
                expr = self._transfer.resolve(expr, state)
            yield from self._decide(expr, passage.edge, facts)

    def _where_asserted(self, passage: Passage, facts: Facts) -> Iterator[Facts]:
        """The same where something has been asserted of what is asked: it is known for this decision alone."""
        keep, known = self._transfer.keep, [facts]
        for one in passage.asserted:
            known = [after for before in known for after in assume(one, True, before, remembered)]
        for before in known:
            for after in self._taken(passage, before):
                yield {key: fact for key, fact in after.items() if key in facts or keep(key) or key == passage.counter}

    def _decide(self, expr: Expr, edge: Edge | None, facts: Facts) -> Iterator[Facts]:
        """The facts under which an edge is taken that asks for `expr`; None: the flag is true."""
        if edge is not None and edge.guard is Guard.CASE:
            yield from assume_case(expr, edge.case, edge.others, facts, self._transfer.keep)
        else:
            holds = edge is None or edge.guard in (Guard.TRUE, Guard.HOLDS)
            yield from assume(expr, holds, facts, self._transfer.keep)

    def _pass(self, passage: Passage, state: State, facts: Facts) -> State:
        """Bind what the edge hands over, and let go of what goes out of scope."""
        edge = passage.edge
        buffers = self._buffers(passage, state) if passage.handed else []
        self._handed_on += max(0, len(buffers) - MAX_BUFFERS_PER_STATE)
        if passage.leaving:
            state = self._end_scope(edge, buffers, state)
        known = facts
        if facts or passage.bound or passage.inside:
            facts = self._rename(passage, facts, state)
        heap = self._rebind(self._transfer.empty.found(state.heap, known), buffers, passage.over)
        return State(frozenset(facts.items()), heap, state.made, state.bad)

    def _buffers(self, passage: Passage, state: State) -> list[Handed]:
        """What each receiving root will denote."""
        found: list[Handed] = []
        root = self._part.root
        holding = {holder: held for held in state.heap for holder in held.holders}
        for value, receiver in passage.handed:
            held = holding.get(root[value]) if value is not None and value in root else None
            found.append(Handed(receiver, held, value is not None and self._transfer.shifted(value, held)))
        return found

    def _end_scope(self, edge: Edge, buffers: list[Handed], state: State) -> State:
        """An op is left: stack memory of its scope ends, and work it does in the background goes on."""
        op = edge.leaves
        assert op is not None
        effects = effects_at(self._graph, op)
        if effects.scope:
            for value, held, _ in buffers:
                made = held.origin.value.op if held is not None and held.origin.resource == "stack" else None
                if held is not None and made is not None and is_inside(made, op):
                    self.log.add(EventKind.DANGLING_STACK, edge.place, held, value)
            state = self.log.mark(state)
        if effects.completion or effects.detached:
            work = effects.completion
            for held in state.heap:
                if self._part.names_inside(held.holders, op):
                    after = held._replace(pending=begun(held.pending, work))
                    if held.freed is not None and (self._part.free or is_inside(held.freed, op)):
                        after = after._replace(freeing=work)
                    state = state.replace(held, after)
        return state

    def _rename(self, passage: Passage, facts: Facts, state: State) -> Facts:
        """The facts on the other side of the edge."""
        counter, gone, ends = passage.counter, passage.gone, self._part.ends
        after = {
            key: fact
            for key, fact in facts.items()
            if key == counter or not (ends(key, gone) or (not isinstance(fact, Range) and ends(fact, gone)))
        }
        for expr, fact in passage.inside:
            after.setdefault(expr, fact)
        after.update((expr, TRUE) for expr, other in passed_by(passage, facts) if not ends(other, gone))
        if not passage.bound:
            return after
        old = dict(state.facts)
        # What is handed over was computed before the counter moved on.
        before = {key: fact for key, fact in facts.items() if key != counter}
        if counter in old:
            before[counter] = old[counter]
        for value, receiver, counted in passage.bound:
            expr = simplify(self._transfer.resolve(scalar_of(self._graph, value), state), before)
            name: Expr = ("leaf", receiver)
            if points(expr) or expr == name:
                continue
            if not ends(expr, gone) and not counted.out(expr, before):
                after[name] = expr
            elif (step := passage.steps.get(name)) is not None:
                known = self._counted(name, step, expr, before)
                if known is not None:
                    after[name] = known
        return after

    def _counted(self, name: Expr, step: Step, number: Expr, facts: Facts) -> Range | None:
        """What is known of what receives a number that is not distinguished any more, or not known."""
        last = facts.get(step.source)
        if number[0] == "const":  # what is handed over as it is was counted elsewhere: it is not the same in each round
            last = Range(number[1] - step.by, number[1] - step.by) if step.by else None
        if not isinstance(last, Range) or not step.by:
            return last if isinstance(last, Range) else None
        return counted_on(last, step.by, turning_points(self._part, name, step.source))

    def _rebind(self, heap: Heap, buffers: list[Handed], gone: frozenset[Block | Region]) -> Heap:
        part = self._part
        if not buffers and not any(
            part.leave(instance.holders, gone) if instance.holders else instance.lost for instance in heap
        ):
            return heap
        receivers = frozenset(handed.receiver for handed in buffers)
        handed_on: dict[frozenset[Value], list[Handed]] = {}
        for handed in buffers:
            if handed.held is not None:
                handed_on.setdefault(handed.held.holders, []).append(handed)
        found: set[Instance] = set()
        for instance in heap:
            kept = frozenset(h for h in instance.holders if h not in receivers and gone.isdisjoint(part.inside(h)))
            given = handed_on.get(instance.holders, ())
            kept |= {handed.receiver for handed in given}
            moved = (instance.shifted & kept) - receivers | {handed.receiver for handed in given if handed.shifted}
            after = instance if kept == instance.holders else instance.held_by(kept)
            after = after if moved == after.shifted else after._replace(shifted=moved)
            if not after.lost or (after.escaped and part.loads):
                found.add(after)
        return frozenset(found)

    def _finish(self, block: Block, state: State) -> None:
        """The end of a path."""
        last = block.ops[-1] if block.ops else None
        stops = self._graph.stops(block)
        effects = effects_at(self._graph, last) if last is not None and not stops else NO_EFFECTS
        results: tuple[Instance | None, ...] = ()
        packed: set[Instance | None] = set()
        if effects.returned and last is not None:
            followed, held = self._part.root.__contains__, self._transfer.held
            results = given(handed_back(self._graph, last), followed, lambda value: held(value, state))
            packed = {held(value, state) for value in filter(followed, effects.packed)}
            state = self._transfer.decide(last, state)
        for instance in ordered(state.heap):
            if instance.freed is None and not instance.escaped and instance.origin.owned and not stops:
                op = instance.origin.value.op
                if op is not None and instance not in results and instance not in packed:
                    self.log.add(EventKind.LEAK, op, instance, None, cause=last)
        self._end(ExitState(self.log.mark(state), last, results, stops or effects.unwinds))

    def _end(self, ending: ExitState) -> None:
        if self.log.purpose is Purpose.GRADES:
            bad, before = ending.state.bad, self.log.ended
            self.log.ended = bad if before is None else bad & before
        else:
            self.endings.add(ending)


def _may_have_begun(edge: Edge, first: Expr, facts: Facts) -> bool:
    """Whether a loop may have begun of which an edge leads into a round, by what it asked in the first one."""
    return simplify(first, facts) != (FALSE if edge.guard is Guard.TRUE else TRUE)
