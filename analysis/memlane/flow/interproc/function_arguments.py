"""Calls of a function that is an argument of the caller: the functions that its own callers pass are distinguished, as
numbers are.

A function that calls what it is passed does what that does. It is followed once for each function that is passed, where
that function calls no unknown one: so none of these questions depends on itself.
"""

from __future__ import annotations

from memlane.flow.dataflow.call_outcomes import Outcome
from memlane.flow.dataflow.context import known_of
from memlane.flow.interproc.call_graph import CallGraph
from memlane.flow.interproc.function import FunctionFlow, Question
from memlane.flow.interproc.summary_engine import Summaries
from memlane.flow.symbolic.scalar import Expr, rebuild
from memlane.flow.symbolic.types import may_hold_buffer
from memlane.syntax.tree.tree import Op

Ways = tuple[Outcome, ...]


class PassedOn:
    """The calls of one program.

    Args:
        answers: what its functions do.

    Attributes:
        asked: functions that have been asked what they call, for one that is passed them, or one that calls them.
    """

    def __init__(self, program: CallGraph, answers: Summaries) -> None:
        self._program, self._answers = program, answers
        self.asked: set[FunctionFlow] = set()
        self._told: dict[FunctionFlow, bool] = {}
        self._moved: dict[Question, tuple[Ways, Ways]] = {}

    def of(
        self, call: Op, partition: tuple[int | None, ...], scalars: tuple[Expr | None, ...], wanted: tuple[int, ...]
    ) -> Ways | None:
        """The outcomes; None: the callee is unknown, or may return what it is passed.

        Args:
            partition, scalars, wanted: as in `Callees.outcomes`.
        """
        if len(scalars) == len(partition) or any(may_hold_buffer(result.type) for result in call.results):
            return None
        named = scalars[-1]
        flows = self._program.named(named[1]) if named is not None else []
        first = len(partition) - len(call.operands) + 1  # what is called may be the first of what is passed
        if len(flows) != 1 or first not in (0, 1) or any(group is not None for group in partition[:first]):
            return None
        if not self._is_told(flows[0]):
            return None
        asked = Question(flows[0], partition[first:], known_of(scalars[first:-1]), wanted)
        ways = self._answers.of(asked)
        return self._move(asked, ways) if ways is not None and first else ways

    def _move(self, asked: Question, ways: Ways) -> Ways:
        """Ways whose arguments stand one further; the same for the same ones."""
        before = self._moved.get(asked)
        if before is None or before[0] is not ways:
            before = self._moved[asked] = ways, tuple(map(_behind_one, ways))
        return before[1]

    def _is_told(self, flow: FunctionFlow) -> bool:
        """Whether a function and all its callees are in the module, and call no unknown value."""
        if flow not in self._told:
            pending, seen = [flow], {flow}
            while pending and self._calls_named(pending[-1]):
                found = [callee for callee in pending.pop().callees if callee not in seen]
                seen.update(found)
                pending += found
            self.asked |= seen
            self._told[flow] = not pending
        return self._told[flow]

    def _calls_named(self, flow: FunctionFlow) -> bool:
        if flow.graph.entry is None:
            return False
        calls = (op for op in flow.op.walk() if op.symbol is None and flow.graph.call(op) is not None)
        return all(self._program.callees(call) for call in calls)


def _behind_one(way: Outcome) -> Outcome:
    conditions = tuple((_further(expr), truth) for expr, truth in way.conditions)
    return way._replace(conditions=conditions, scalars=tuple((index, _further(expr)) for index, expr in way.scalars))


def _further(expr: Expr) -> Expr:
    if expr[0] == "formal":
        return ("formal", expr[1] + 1)
    return rebuild(expr, _further) or expr
