"""What a call does to sets of buffers; see all_paths.py. All ways it may go are taken together."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple, Protocol

from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.call_outcomes import Callees, Outcome
from memlane.flow.dataflow.events import EventKind
from memlane.flow.dataflow.solver import BudgetExceeded
from memlane.flow.effects.aggregate_buffers import results_of
from memlane.flow.memory.call_arguments import arguments_of
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.path_insensitive.limits import MAX_PASSED_NAMES
from memlane.flow.path_insensitive.point_sets import Sets
from memlane.flow.path_insensitive.points_to import Holding
from memlane.flow.path_insensitive.transfer_op import SetTransfer
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.slicing.realloc import may_fail
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.scalar import Expr
from memlane.syntax.tree.tree import Op, Value

_Ways = list[tuple[Outcome, list[list[Value]]]]
"""Ways a call may go, each with the names that are one buffer then."""


class _Call(NamedTuple):
    """One call, with what is passed to it: values, what is known of numbers, and which results are asked for."""

    op: Op
    values: Sequence[Value | None]
    scalars: tuple[Expr | None, ...]
    wanted: tuple[int, ...]


class RoughCallees(Callees, Protocol):
    """An upper bound of the effects of calls."""

    def roughly(self, call: Op, partition: tuple[int | None, ...], wanted: tuple[int, ...]) -> tuple[Outcome, ...]:
        """Ways a call may go that have, taken together, all that it may do, where these are too many to tell apart."""
        ...


class CallTransfer:
    """The transfer functions of calls; see `SetTransfer` for the arguments.

    Attributes:
        staying: the offset behind which control perhaps never comes, for some call may not come back.
        perhaps: bits of the buffers that some call makes only on some of its ways.
        twice: pairs of results of one call that may be one new buffer.
    """

    def __init__(self, graph: Graph, part: Slice, holding: Holding, step: SetTransfer, callees: RoughCallees) -> None:
        self._graph, self._part, self._holding = graph, part, holding
        self._step, self._callees = step, callees
        self.staying = sys.maxsize
        self.perhaps = 0
        self.twice: set[tuple[Value, Value]] = set()

    def execute(self, op: Op, state: Sets) -> Sets:
        """What may be after the call."""
        graph, part = self._graph, self._part
        state = self._step.escaped(effects_at(graph, op), state)
        values = arguments_of(graph, op)
        scalars = tuple(self._step.scalar(scalar_of(graph, v)) if v is not None else None for v in values)
        results = results_of(graph, op)
        wanted = tuple(i for i, r in enumerate(results) if r in part.root or (r in part.scalars and r.type == "i1"))
        roots = list(dict.fromkeys(part.root[v] for v in values if v is not None and v in part.root))
        told = self._told(_Call(op, values, scalars, wanted), roots)
        if not all(any(not (way.conditions or way.stays) for way, _ in ways) for ways in told):
            self.staying = min(self.staying, op.span.end)
        for ways in told:
            self._judge(op, ways, values, state)
        if len(told) > 1:  # what is done to one may be done to another, before or after
            after = state
            for ways in reversed(told):
                self._judge(op, ways, values, after, False)
                after = self._any(op, ways, after)
        for ways in told:
            if len(told) > 1:
                self._judge(op, ways, values, state, False)
            state = self._any(op, ways, state)
        state = self._results(op, [way for ways in told for way, _ in ways if not way.stays], state)
        return self._step.worked(op, effects_at(graph, op), state)

    def _told(self, call: _Call, roots: list[Value]) -> list[_Ways]:
        """The ways a call may go: of all names that are passed at once, or where that is too much of each."""
        if len(roots) <= MAX_PASSED_NAMES:
            try:
                asked = [self._asked(call, groups) for groups in self._groups(roots)]
                return [[way for ways in asked for way in ways]]
            except BudgetExceeded:
                pass
        return [self._alone(call, groups) for groups in [[[root]] for root in roots] or [[]]]

    def _alone(self, call: _Call, groups: list[list[Value]]) -> _Ways:
        """The ways a call may go with one of the names passed; where they are too many, what it may do at most."""
        try:
            return self._asked(call, groups)
        except BudgetExceeded:
            self.staying = min(self.staying, call.op.span.end)
            partition = self._partition(call.values, groups)
            return [(way, groups) for way in self._callees.roughly(call.op, partition, call.wanted)]

    def _any(self, op: Op, ways: _Ways, state: Sets) -> Sets:
        """What may be after one of some ways."""
        after = [self._way(op, way, groups, state) for way, groups in ways if not way.stays]
        return reduce(Sets.join, after) if after else state

    def _asked(self, call: _Call, groups: list[list[Value]]) -> _Ways:
        """The ways a call may go where some of the names passed are one buffer."""
        partition = self._partition(call.values, groups)
        return [(way, groups) for way in self._callees.outcomes(call.op, partition, call.scalars, call.wanted)]

    def _partition(self, values: Sequence[Value | None], groups: list[list[Value]]) -> tuple[int | None, ...]:
        number = {root: index for index, group in enumerate(groups) for root in group}
        return tuple(number.get(self._part.root[v]) if v in self._part.root else None for v in values)

    def _groups(self, roots: list[Value]) -> list[list[list[Value]]]:
        """Which of the names passed may be one buffer: all ways there are."""
        may = self._holding.may
        found: list[list[list[Value]]] = [[]]
        for root in roots:
            longer = [[*groups, [root]] for groups in found]
            for groups in found:
                for index, group in enumerate(groups):
                    if all(may(one) & may(root) for one in group):
                        longer.append([*groups[:index], [*group, root], *groups[index + 1 :]])
            found = longer
        return found

    def _way(self, op: Op, way: Outcome, groups: list[list[Value]], state: Sets) -> Sets:
        """What may be after one way."""
        for group, effect in zip(groups, way.groups, strict=False):
            bits = -1
            for root in group:
                bits &= self._holding.may(root)
            state = state._replace(written=state.written | bits)
            if effect.unsure or (effect.freed and may_fail(self._graph, self._part, self._callees, op)):
                state = state._replace(unsure=state.unsure | bits)
            if effect.freed is not None:
                state = self._step.dispose(op, group[0], bits, state, True)
            if effect.escaped:
                state = self._step.escape(group[0], bits, state)
        return state

    def _judge(
        self, op: Op, ways: _Ways, values: Sequence[Value | None], state: Sets, may_be_sure: bool = True
    ) -> None:
        """Note what is wrong with what the ways do; it is certain where all of them do it."""
        for root in dict.fromkeys(self._part.root[v] for v in values if v in self._part.root):
            value = next(v for v in values if v is not None and self._part.root.get(v) is root)
            effects = [
                way.groups[index]
                for way, groups in ways
                for index, group in enumerate(groups)
                if root in group and index < len(way.groups)
            ]
            bits = self._holding.may(root)
            sure = may_be_sure and not any(effect.unsure for effect in effects)
            first = next((effect.first for effect in effects if effect.first is not None), None)
            if first is not None:
                surely = sure and all(effect.first is not None for effect in effects)
                self._step.touched(op, value, state, first, surely)
            for kind, places in (
                (EventKind.USE_AFTER_FREE, [effect.used for effect in effects]),
                (EventKind.DOUBLE_FREE, [effect.again for effect in effects]),
            ):
                if place := next(filter(None, places), None):
                    self._step.passed_twice(kind, op, value, bits, state, sure and all(places), place)
            freed = next((effect.freed for effect in effects if effect.freed is not None), None)
            if freed is not None:
                surely = sure and all(effect.freed is not None for effect in effects)
                self._step.freed(op, value, bits, state, surely, freed)
                if all(effect.by_each for effect in effects):
                    self._step.shared(op, value, bits, state, freed)
                for effect in dict.fromkeys(effect for effect in effects if effect.resource is not None):
                    surely = sure and all(one.resource == effect.resource for one in effects)
                    self._step.mismatched(op, value, bits, state, surely, effect.resource or "", effect.freed)

    def _results(self, op: Op, ways: list[Outcome], state: Sets) -> Sets:
        """What may be once the results are bound."""
        results = results_of(self._graph, op)
        fresh: dict[Value, None] = {}
        made: list[set[Value]] = []
        kept: list[set[Value]] = []
        for way in ways:
            new: dict[int, Value] = {}
            for i, source in way.results:
                if source is not None and source.fresh and results[i] in self._part.root:
                    first = new.setdefault(source.number, results[i])
                    if first is not results[i]:
                        self.twice.add((first, results[i]))
            fresh.update(dict.fromkeys(new.values()))
            made.append(set(new.values()))
            kept.append({results[i] for i, source in way.results if source is not None and source.kept})
        given = 0
        for value in filter(None, arguments_of(self._graph, op)):
            given |= self._holding.name(value)
        for result in results:
            if result in self._part.root:
                name, same = self._holding.name(result), any(other is result for _, other in self.twice)
                state = state.named(name, state.doomed & given, (state.sound & given) or same)
        for result in results:
            bit = self._holding.fresh.get(result)
            if bit is None:
                continue
            if result not in fresh:
                state = self._step.age(result, state)
                continue
            if not all(result in one for one in made):
                self.perhaps |= bit
            doomed = state.doomed & self._holding.name(result)
            state = self._step.make(result, state, True)
            state = state._replace(doomed=state.doomed | doomed)
            keeps = [result in those for new, those in zip(made, kept, strict=True) if result in new]
            if all(keeps):
                state = self._step.escape(result, bit, state)
            elif any(keeps):
                self.perhaps |= bit
        return state
