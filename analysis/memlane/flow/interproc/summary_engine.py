"""What functions do to their callers' buffers, question by question, as `Program` remembers it.

A function that does not call itself is followed once for each question. Among functions that call each other, answers
grow from the empty one until they settle, as in functional summaries (Sharir and Pnueli, "Two approaches to
interprocedural data flow analysis", 1981), with a list of what has to be looked at again.

What comes out must not depend on what was asked before, or else an edited program would get other findings than the
same program from scratch. So the work is not limited by counting it, but by what it leads to: the answers settle at
the least ones that agree with each other, whatever the order, and the (point, state) pairs reached with those are
counted. They may be so many for each operation of a function. Where they are more, or the ways of a call are, the
question is asked again in a coarser form; where the coarsest is too much, there is no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import NamedTuple

from memlane.flow.dataflow.call_outcomes import Outcome, kind
from memlane.flow.interproc.function import FunctionFlow, Question
from memlane.flow.interproc.limits import MAX_GROUP_PAIRS, MAX_OUTCOMES
from memlane.flow.interproc.procedure_summary import order
from memlane.flow.interproc.scc_solver import Fixpoint, Group, Questions
from memlane.flow.symbolic.scalar import Expr

GROUP_PAIRS_PER_OP = 4
GROUP_PAIRS_PER_PLAIN_OP = 16

Ways = tuple[Outcome, ...]


class Form(Enum):
    """How functions that call each other are followed."""

    EXACT = "constants are told apart, and which way depends on which flag"
    COARSE = "constants and flags of calls among them are not told apart"
    PLAIN = "all conditions are free choices, in the functions as well"
    FREE = "nor are callers told under which conditions they do what they do, or which of several ops does it"


class Explored(NamedTuple):
    """A function followed: the ways, None where they are too many; and the pairs reached."""

    ways: Ways | None
    steps: int


class _TooMuchError(Exception):
    """The questions that one leads to have too many states."""


class Summaries(Questions[Question, Outcome]):
    """The questions of one program.

    Args:
        group: the functions that call each other, the given one among them.
        explore: follows the function of a question.
    """

    def __init__(self, group: Callable[[FunctionFlow], Group], explore: Callable[[Question, Form], Explored]) -> None:
        super().__init__(lambda question: group(question.callee))
        self._explore = explore
        self._memories = {form: _Memory() for form in Form}

    def _alone(self, question: Question) -> Ways | None:
        ways = (self._explore(question, form).ways for form in (Form.EXACT, Form.PLAIN, Form.FREE))
        return next((found for found in ways if found is not None), None)

    def _settle(self, first: Question, group: Group) -> None:
        for form, memory in self._memories.items():
            settling = _SummaryFixpoint(form, group, memory, self._explore)
            try:
                self._until_settled(settling, first)
            except _TooMuchError:
                memory.failed.add(_in(form, first))
                continue
            settling.keep()
            # Of what it led to in a coarser form there may be an answer in a better one.
            self.known.update(settling.answers if form is Form.EXACT else {first: settling.answers[_in(form, first)]})
            return
        self.known[first] = None


class _Memory:
    """What is known of questions in one form: answers, what each asked for, the pairs each reached, and what failed."""

    __slots__ = ("answers", "asked", "failed", "steps")

    def __init__(self) -> None:
        self.answers: dict[Question, Ways] = {}
        self.asked: dict[Question, tuple[Question, ...]] = {}
        self.steps: dict[Question, int] = {}
        self.failed: set[Question] = set()


class _SummaryFixpoint(Fixpoint[Question, Outcome]):
    """The state of the fixpoint of a group in one form."""

    def __init__(
        self, form: Form, group: Group, memory: _Memory, explore: Callable[[Question, Form], Explored]
    ) -> None:
        super().__init__(group)
        self._form, self._memory, self._explore = form, memory, explore
        self._asked: dict[Question, dict[Question, None]] = {}
        self._steps: dict[Question, int] = {}
        self._taken: dict[FunctionFlow, int] = {}

    def consult(self, question: Question) -> Ways:
        """See `Fixpoint.consult`."""
        question = _in(self._form, question)
        if question in self._memory.failed:
            raise _TooMuchError
        if self._now is not None:
            self._asked.setdefault(self._now, {})[question] = None
        if question in self._memory.answers:
            self._reuse(question)
        return _told(self._form, super().consult(question) or ())

    def _reuse(self, first: Question) -> None:
        """What has settled before, with all that it led to, costs what it cost."""
        pending = [first]
        while pending:
            question = pending.pop()
            if question not in self.answers:
                self.answers[question] = self._memory.answers[question]
                self._count(question, self._memory.steps[question])
                pending.extend(self._memory.asked[question])

    def look(self, question: Question) -> None:
        """See `Fixpoint.look`."""
        found = self._explore(question, self._form)
        self._count(question, found.steps)
        after = _joined(self.answers[question] or (), found.ways) if found.ways is not None else None
        if after is None:
            raise _TooMuchError
        self.change(question, after)

    def _count(self, question: Question, steps: int) -> None:
        flow, before = question.callee, self._steps.get(question, 0)
        self._steps[question] = max(before, steps)
        taken = self._taken[flow] = self._taken.get(flow, 0) + self._steps[question] - before
        if taken > MAX_GROUP_PAIRS + flow.operations * (
            GROUP_PAIRS_PER_PLAIN_OP if self._form in (Form.PLAIN, Form.FREE) else GROUP_PAIRS_PER_OP
        ):
            raise _TooMuchError

    def keep(self) -> None:
        """They have settled."""
        memory = self._memory
        for question, ways in self.answers.items():
            if question not in memory.answers:
                memory.answers[question] = ways or ()
                memory.steps[question] = self._steps[question]
                memory.asked[question] = tuple(self._asked.get(question, ()))


def _in(form: Form, question: Question) -> Question:
    """The question as it is asked in a form."""
    return question if form is Form.EXACT else question._replace(constants=(None,) * len(question.constants))


def _told(form: Form, ways: Ways) -> Ways:
    """The part of an answer of an unfinished fixpoint that a caller may use: conditions on numbers would be those of
    the iteration before, one step further; of conditions on flags there are only few."""
    if form is Form.EXACT:
        return tuple(dict.fromkeys(way._replace(conditions=_flags(way)) for way in ways))
    return tuple(dict.fromkeys(way._replace(conditions=()) for way in ways))


def _flags(way: Outcome) -> tuple[tuple[Expr, bool], ...]:
    return tuple(condition for condition in way.conditions if condition[0][0] == "formal")


def _joined(one: Ways, other: Ways) -> Ways | None:
    return one if one == other else ordered((*one, *other))


def fewer(ways: Iterable[Outcome]) -> Ways | None:
    """The same, where they are too many with the first of each that differ in nothing but which ops do what is done."""
    ways = set(ways)
    found: dict[object, Outcome] = {}
    for way in sorted(ways, key=order):
        found.setdefault(kind(way), way)
    return ordered(ways if len(ways) <= MAX_OUTCOMES else found.values())


def ordered(ways: Iterable[Outcome]) -> Ways | None:
    """Ways without repetition, in a stable order; None: too many."""
    found = set(ways)
    return tuple(sorted(found, key=order)) if len(found) <= MAX_OUTCOMES else None
