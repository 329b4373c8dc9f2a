"""What a call of a function does to a state: each outcome of its summary, in the caller's terms."""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import compress, count
from typing import NamedTuple

from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.call_outcomes import GLOBAL, Callees, Effect, Outcome, ResultSource, kind
from memlane.flow.dataflow.events import EventKind, Log
from memlane.flow.dataflow.state import Instance, State, begun
from memlane.flow.effects.aggregate_buffers import is_written, results_of
from memlane.flow.memory.async_free import may_come_first
from memlane.flow.memory.call_arguments import PassedScalars, given_places, passed_scalars, passing
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.scalars.null_checks import asks_of_null, null_formal
from memlane.flow.scalars.spmd_regions import runs_as_called, shared_by
from memlane.flow.slicing.realloc import may_fail
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.branch_assumption import assume
from memlane.flow.symbolic.range import Range
from memlane.flow.symbolic.scalar import Expr, Facts, leaves, points, rebuild, simplify
from memlane.flow.symbolic.types import is_integer
from memlane.flow.typestate.async_completion import completed
from memlane.flow.typestate.call_conditions import in_words
from memlane.flow.typestate.limits import MAX_COMPUTED
from memlane.flow.typestate.merge_outcomes import Known, fewer, united
from memlane.flow.typestate.negative_values import below_zero, may_be_negative
from memlane.flow.typestate.transfer import Transfer
from memlane.syntax.tree.tree import Op, Value


class _Deed(NamedTuple):
    """What ways of a call do to buffers, and what is known after it: one of several things.

    Args:
        ways: those; they do the same.
        fresh: they give new buffers.
    """

    ways: tuple[Outcome, ...]
    fresh: bool
    known: tuple[Known, ...]

    @property
    def outcome(self) -> Outcome:
        """The first of the ways."""
        return self.ways[0]


class Invoke:
    """The transfer functions of the calls of one slice; see `Transfer` for the arguments.

    Attributes:
        tried: how many ways of calls it was asked for, under which conditions.
    """

    def __init__(
        self, graph: Graph, part: Slice, log: Log, summarise: bool, callees: Callees, transfer: Transfer
    ) -> None:
        self._graph = graph
        self._part = part
        self._log = log
        self._summarise = summarise
        self._callees = callees
        self._transfer = transfer
        self.tried = 0
        self._last: Op | None = None
        self._never_null: dict[object, tuple[tuple[Outcome, ...], tuple[Outcome, ...]]] = {}
        self._told: dict[object, tuple[tuple[Outcome, ...], list[_Deed]]] = {}

    def execute(self, op: Op, state: State) -> tuple[list[State], list[State]]:
        """The states after the call: ways that leave the buffers alike are one, where that is exact
        (merge_outcomes.py); and those in which it does not come back."""
        effects = effects_at(self._graph, op)
        state = self._transfer.escaped(effects, state)
        passed = passing(self._graph, op)
        buffers: dict[Instance, Value] = {}
        numbers: dict[Instance, int] = {}
        partition: list[int | None] = [None] * len(passed.values)
        for at in passed.among(self._part.root):
            value = passed.values[at]
            held = self._transfer.held(value, state) if value is not None else None
            if value is not None and held is not None:
                inside = not is_written(value) and value in given_places(self._graph, op)
                buffers.setdefault(held, held.origin.value if inside else value)
                partition[at] = numbers.setdefault(held, len(numbers))
        facts = dict(state.facts)
        scalars = self._scalars(passed_scalars(self._graph, op), facts)
        wanted = self._wanted(op)
        found: list[tuple[State, Hashable]] = []
        staying: list[State] = []
        functions = tuple(self._passed_on(op, facts))
        given = (*scalars, *functions) if functions else scalars  # the same object is asked about once
        outcomes = self._callees.outcomes(op, tuple(partition), given, wanted)
        outcomes = self._possible(outcomes, passed.values, partition, buffers)
        each = _freed_by_each(outcomes)
        for number, deed in enumerate(self._deeds(op, outcomes, scalars, state.facts)):
            noted = self._log.noted
            after = completed(op, effects, self._part, self._apply(op, deed.outcome, buffers, each, state))
            if self._log.told is not None:
                self._log.choose(state, after, op, self._in_words(deed, passed.values, scalars, buffers))
            besides = deed.fresh, None if self._log.noted == noted else number
            if deed.outcome.stays:
                staying.extend(after._replace(facts=known) for known in deed.known)
            else:
                found.extend((after._replace(facts=known), besides) for known in deed.known)
        return [one for one, _ in found] if self._summarise or len(found) < 2 else united(found), staying

    def _in_words(
        self,
        deed: _Deed,
        values: Sequence[Value | None],
        numbers: Sequence[Expr | None],
        buffers: Mapping[Instance, Value],
    ) -> str:
        """When a call does that; where that takes too many words, what it does."""
        told = in_words(deed.ways, values, numbers)
        if told or not buffers:
            return told or "the call goes one of several ways"
        name, effect = next(zip(buffers.values(), deed.outcome.groups, strict=True))
        return f"the call {'frees' if effect.freed is not None else 'does not free'} {name.name}"

    def _wanted(self, op: Op) -> tuple[int, ...]:
        """The positions of the results that matter. Of many most do not: they are passed over in C."""
        part, results = self._part, results_of(self._graph, op)
        found = {*compress(count(), map(part.root.__contains__, results))}
        numbers = compress(count(), map(part.scalars.__contains__, results)) if part.scalars else ()
        return tuple(sorted(found.union(at for at in numbers if is_integer(results[at].type))))

    def _possible(
        self,
        outcomes: tuple[Outcome, ...],
        values: Sequence[Value | None],
        partition: list[int | None],
        buffers: Iterable[Instance],
    ) -> tuple[Outcome, ...]:
        """The ways that a call may go where no pointer to what is made is null; the same object for the same ways."""
        asked = {null_formal(condition) for way in outcomes for condition in way.conditions} - {None}
        if not asked:
            return outcomes
        new = {number for number, held in enumerate(buffers) if held.new}
        is_new = self._transfer.reuse.is_new
        made = frozenset(
            at
            for at, (value, number) in enumerate(zip(values, partition, strict=True))
            if at in asked and (number in new or (number is None and value is not None and is_new(value)))
        )
        key = id(outcomes), made
        if key not in self._never_null:
            kept = tuple([way for way in outcomes if made.isdisjoint(map(null_formal, way.conditions))])
            self._never_null[key] = outcomes, kept
        return self._never_null[key][1]

    def _called(self, op: Op) -> Expr | None:
        """The function that is called, where an operand is."""
        value = op.operands[0].value if op.symbol is None and op.operands else None
        return scalar_of(self._graph, value) if value is not None else None

    def _passed_on(self, op: Op, facts: Facts) -> Iterator[Expr]:
        """The function that is called, where this one was passed it."""
        value = op.operands[0].value if op.symbol is None and op.operands else None
        if value is not None and value.block is self._graph.entry:
            expr = facts.get(("leaf", value))
            if expr is not None and not isinstance(expr, Range) and expr[0] == "function":
                yield expr

    def _deeds(
        self, op: Op, outcomes: tuple[Outcome, ...], scalars: tuple[Expr | None, ...], facts: Known
    ) -> list[_Deed]:
        """What the ways of a call do that it may go. Of many states that come to one call most differ in their buffers
        alone: found out once for these.

        Summaries say which op has the effect, so outcomes are not merged there: answers of functions that call each
        other grow outcome by outcome.
        """
        if op is not self._last:
            self._last = op
            self._told.clear()
        key = id(outcomes), scalars, facts  # comparing them costs more
        if key not in self._told:
            found: dict[object, tuple[dict[Outcome, None], dict[Known, None]]] = {}
            self.tried += len(outcomes)
            arguments = (*scalars, self._called(op))
            for outcome in (*outcomes, *below_zero(outcomes, self._negative(op, scalars, dict(facts)))):
                bare = outcome._replace(conditions=())
                does = (outcome.groups, outcome.results, outcome.stays) if self._summarise else kind(bare)
                for after in self._assume(outcome, arguments, dict(facts)):
                    ways, known = found.setdefault(does, ({}, {}))
                    ways[outcome] = None
                    known[self._given(op, outcome, scalars, after)] = None
            deeds = [
                _Deed(tuple(ways), any(s is not None and s.fresh for _, s in bare.results), tuple(known))
                for (bare, *_), ways, known in ((tuple(ways), ways, known) for ways, known in found.values())
            ]
            if not self._summarise:
                deeds = [deed._replace(known=tuple(fewer([*deed.known]))) for deed in deeds]
            self._told[key] = outcomes, deeds
        return self._told[key][1]

    def _negative(self, op: Op, scalars: tuple[Expr | None, ...], facts: Facts) -> list[int]:
        """The arguments of which the callee may wrongly take it that they are not negative."""
        numbers = ((at, scalars[at]) for at in passing(self._graph, op).indices)
        return [at for at, expr in numbers if expr is not None and may_be_negative(expr, facts)]

    def _scalars(self, passed: PassedScalars, facts: Facts) -> tuple[Expr | None, ...]:
        """What is passed, as far as that is known."""
        known = [(at, self._scalar(expr, facts)) for at, expr in passed.computed]
        for leaf in facts.keys() & passed.leaves.keys():
            expr = self._scalar(leaf, facts)
            known += [(at, expr) for at in passed.leaves[leaf]]
        if all(expr == passed.written[at] for at, expr in known):
            return passed.written
        found = [*passed.written]
        for at, expr in known:
            found[at] = expr
        return tuple(found)

    def _scalar(self, expr: Expr, facts: Facts) -> Expr:
        """What is passed, as a number where that is known and of use; conditions on it are decided here anyway."""
        found = simplify(expr, facts)
        computed = self._summarise and expr[0] not in ("const", "leaf")
        return expr if computed and found[0] == "const" and abs(found[1]) > MAX_COMPUTED else found

    def _assume(self, outcome: Outcome, arguments: tuple[Expr | None, ...], facts: Facts) -> list[Facts]:
        found = [facts]
        for formal, truth in outcome.conditions:
            expr = substitute(formal, arguments)
            if expr is not None and not (asks_of_null(formal) and points(expr)):
                found = [a for before in found for a in assume(expr, truth, before, self._transfer.keep)]
        return found

    def _given(self, op: Op, outcome: Outcome, scalars: tuple[Expr | None, ...], facts: Facts) -> Known:
        """What is known once the call has given what it gives."""
        about = {k for k in facts if any(leaf.op is op for leaf in leaves(k))} if op.results else ()
        facts = {k: f for k, f in facts.items() if k not in about}
        results = results_of(self._graph, op) if outcome.scalars else ()
        for index, expr in outcome.scalars:
            found = substitute(expr, scalars)
            if index < len(results) and results[index] in self._part.scalars and found is not None:
                facts["leaf", results[index]] = simplify(found, facts)
        return frozenset(facts.items())

    def _apply(
        self, op: Op, outcome: Outcome, buffers: Mapping[Instance, Value], each: Container[int], state: State
    ) -> State:
        """`buffers`: those that are passed, with the first of the names by which each is; each thread frees some."""
        passed: list[Instance] = []
        for number, ((instance, value), effect) in enumerate(zip(buffers.items(), outcome.groups, strict=True)):
            self._share(op, instance, effect, value, number in each)
            after = self._effect(op, instance, effect, value)
            if effect.freed is not None and effect.escaped and effect.unsure:  # others are in its place, or it is left
                after = after.held_by(after.holders.difference(given_places(self._graph, op)))
            passed.append(after)
            state = state.replace(instance, after)
        return self._log.mark(self._results(op, outcome, passed, state))

    def _results(self, op: Op, outcome: Outcome, passed: list[Instance], state: State) -> State:
        fresh: dict[ResultSource, list[Value]] = {}
        results = results_of(self._graph, op)
        for index, source in outcome.results:
            result = results[index]
            if result not in self._part.root:
                continue
            state = state.bind(result, None)
            if source is not None and source.fresh:
                fresh.setdefault(source, []).append(result)
            elif source == GLOBAL:
                call = self._part.origins.get(result)
                static = Instance(call.of_global, frozenset(), written=True) if call is not None else None
                state = state.bind(result, static)
            elif source is not None:
                state = state.bind(result, _current(state, passed[source.number], result))
        state = self._transfer.reuse.made(state) if fresh else state
        anew: list[Value] = []
        for source, names in fresh.items():
            origin = next((found for name in names if (found := self._part.origins.get(name)) is not None), None)
            if origin is not None:
                made = Instance(origin, frozenset(names), escaped=source.kept, written=True, made=source.resource)
                state = state._replace(heap=state.heap | {made})
                anew.append(origin.value)
        return self._log.made(state, anew)

    def _effect(self, op: Op, held: Instance, effect: Effect, value: Value | None) -> Instance:
        """What the callee did to one buffer."""
        log, transfer = self._log, self._transfer
        if held.freed is not None:
            used, again = effect.first, effect.freed if held.origin.resource != "stack" else None
        else:  # a buffer with other owners, or one that must not be freed, may still be allocated
            stays = held.owners or held.origin.resource in ("stack", "global")
            used, again = (None, None) if stays else (effect.used, effect.again)
        if used is not None:
            unsure = effect.unsure or may_come_first(self._graph, op, held.freeing)
            log.add(EventKind.USE_AFTER_FREE, op, held, value, used, unsure)
        if again is not None:
            log.add(EventKind.DOUBLE_FREE, op, held, value, again, effect.unsure)
        lives = held.freed is None or held.origin.resource == "stack"  # it is wrong to free that, released or not
        wrong = self._wrong(held, effect) if lives and effect.freed is not None else None
        if wrong is not None:
            log.add(wrong, op, held, value, effect.freed, effect.unsure)
        if wrong is EventKind.INVALID_FREE:
            return held
        completion = effects_at(self._graph, op).completion
        fails = effect.freed is not None and may_fail(self._graph, self._part, self._callees, op)
        first = held.first
        if self._summarise and first is None and effect.first is not None:
            first = transfer.stand_in(effect.first, held, "first")
        return held._replace(
            freed=held.freed or (transfer.stand_in(op, held, "freed") if effect.freed is not None else None),
            escaped=held.escaped or effect.escaped,
            unsure=held.unsure or effect.unsure or fails,
            written=True,
            first=first,
            again=transfer.stand_in(op, held, "again") if transfer.paired and again and not held.again else held.again,
            used=transfer.stand_in(op, held, "used") if transfer.paired and used and not held.used else held.used,
            into=effect.resource if self._summarise and held.freed is None else held.into,
            pending=begun(held.pending, completion) if completion and effect.first else held.pending,
            freeing=completion or None if effect.freed is not None and held.freed is None else held.freeing,
            by_each=held.by_each or (self._summarise and effect.by_each and runs_as_called(self._graph, op)),
        )

    def _share(self, op: Op, held: Instance, effect: Effect, value: Value, each: bool) -> None:
        """Note that several threads free one buffer, where each does."""
        lives = held.freed is None and not held.owners and held.origin.resource not in ("stack", "global")
        if each and lives and shared_by(self._graph, op, held.origin.value) is not None:
            self._log.add(EventKind.DOUBLE_FREE, op, held, value, effect.freed, unsure=True)

    def _wrong(self, held: Instance, effect: Effect) -> EventKind | None:
        """What is wrong with freeing a buffer that lives."""
        if held.origin.lent:
            return EventKind.ARGUMENT_FREE
        if held.origin.resource in ("stack", "global"):
            return EventKind.INVALID_FREE
        return None if self._transfer.fits(held.origin, effect.resource, held.made) else EventKind.MISMATCHED_FREE


def _freed_by_each(outcomes: Iterable[Outcome]) -> set[int]:
    """The buffers passed that each thread frees which calls, whichever way that goes."""
    found: set[int] | None = None
    for way in outcomes:
        if not way.stays:
            here = {number for number, effect in enumerate(way.groups) if effect.by_each}
            found = here if found is None else found & here
    return found or set()


def _current(state: State, instance: Instance, result: Value) -> Instance | None:
    """`instance` as it is once `result` has been unbound, and earlier results perhaps bound to it."""
    names = instance.holders - {result}
    return next((i for i in state.heap if i.origin is instance.origin and names <= i.holders), None)


def substitute(expr: Expr, arguments: tuple[Expr | None, ...]) -> Expr | None:
    """A callee's expression in the caller's terms: formal arguments replaced; None where one is not known."""
    if expr[0] == "formal":
        return arguments[expr[1]] if expr[1] < len(arguments) else None
    return rebuild(expr, lambda part: substitute(part, arguments))
