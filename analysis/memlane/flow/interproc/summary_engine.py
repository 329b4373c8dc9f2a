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
from heapq import heappop, heappush
from typing import NamedTuple

from memlane.cancellation import poll
from memlane.flow.dataflow.call_outcomes import Outcome, kind
from memlane.flow.interproc.function import FunctionFlow, Question
from memlane.flow.interproc.limits import MAX_GROUP_PAIRS, MAX_NESTED, MAX_OUTCOMES
from memlane.flow.interproc.procedure_summary import order
from memlane.flow.interproc.scc_solver import Group
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


class _SummaryTooDeepError(Exception):
    def __init__(self, question: Question) -> None:
        super().__init__()
        self.question = question


class _TooMuchError(Exception):
    """The questions that one leads to have too many states."""


class Summaries:
    """The questions of one program.

    Args:
        group: the functions that call each other, the given one among them.
        explore: follows the function of a question.

    Attributes:
        known: the answers so far; None: too many ways, in whatever form.
    """

    def __init__(self, group: Callable[[FunctionFlow], Group], explore: Callable[[Question, Form], Explored]) -> None:
        self.known: dict[Question, Ways | None] = {}
        self._group = group
        self._explore = explore
        self._nested = 0
        self._settling: _SummaryFixpoint | None = None
        self._memories = {form: _Memory() for form in Form}

    def of(self, question: Question) -> Ways | None:
        """The ways; None: too many."""
        group = self._group(question.callee)
        if self._settling is not None and self._settling.group is group:
            return self._settling.consult(question)
        if question not in self.known:
            if self._settling is None and not self._nested:
                self._from_the_start(question)
            elif group.recursive or self._nested > MAX_NESTED:
                raise _SummaryTooDeepError(question)
            else:
                self._answer(question)
        return self.known[question]

    def _from_the_start(self, first: Question) -> None:
        """Answer a question with nothing under way; those that turn out too deep come before it."""
        outer, nested = self._settling, self._nested
        self._settling, self._nested = None, 0
        pending = [first]
        try:
            while pending:
                question, group = pending[-1], self._group(pending[-1].callee)
                try:
                    if question not in self.known:
                        _ = self._settle(question, group) if group.recursive else self._answer(question)
                    pending.pop()
                except _SummaryTooDeepError as deep:
                    pending.append(deep.question)
        finally:
            self._settling, self._nested = outer, nested

    def _answer(self, question: Question) -> None:
        self._nested += 1
        try:
            forms = (Form.EXACT, Form.PLAIN, Form.FREE)
            ways = (self._explore(question, form).ways for form in forms)
            self.known[question] = next((found for found in ways if found is not None), None)
        finally:
            self._nested -= 1

    def _settle(self, first: Question, group: Group) -> None:
        for form, memory in self._memories.items():
            self._settling = settling = _SummaryFixpoint(form, group, memory)
            done = self._settled(settling, first)
            self._settling = None
            if done and form is Form.EXACT:
                self.known.update(settling.answers)
                return
            if done:  # what it led to may have an answer in a better form
                self.known[first] = settling.answers[_in(form, first)]
                return
        self.known[first] = None

    def _settled(self, settling: _SummaryFixpoint, first: Question) -> bool:
        """Let the answers that one rests on grow until none changes; whether they do."""
        try:
            settling.consult(first)
            while settling.waiting:
                poll()
                question = settling.next()
                try:
                    settling.grow(question, self._explore(question, settling.form))
                except _SummaryTooDeepError as deep:
                    settling.put(question)
                    self._from_the_start(deep.question)
        except _TooMuchError:
            settling.memory.failed.add(_in(settling.form, first))
            return False
        settling.keep()
        return True


class _Memory:
    """What is known of questions in one form: answers, what each asked for, the pairs each reached, and what failed."""

    __slots__ = ("answers", "asked", "failed", "steps")

    def __init__(self) -> None:
        self.answers: dict[Question, Ways] = {}
        self.asked: dict[Question, tuple[Question, ...]] = {}
        self.steps: dict[Question, int] = {}
        self.failed: set[Question] = set()


class _SummaryFixpoint:
    """The state of the fixpoint of a group: the answers so far, their dependents, and the questions to evaluate
    again."""

    def __init__(self, form: Form, group: Group, memory: _Memory) -> None:
        self.form = form
        self.group = group
        self.memory = memory
        self.answers: dict[Question, Ways] = {}
        self.waiting: list[tuple[int, Question]] = []
        self._met: dict[Question, int] = {}
        self._now: Question | None = None
        self._queued: set[Question] = set()
        self._asking: dict[Question, dict[Question, None]] = {}
        self._asked: dict[Question, dict[Question, None]] = {}
        self._steps: dict[Question, int] = {}
        self._taken: dict[FunctionFlow, int] = {}

    def consult(self, question: Question) -> Ways:
        """The answer so far, for the one that is being explored."""
        question = _in(self.form, question)
        if question in self.memory.failed:
            raise _TooMuchError
        if self._now is not None:
            self._asking.setdefault(question, {})[self._now] = None
            self._asked.setdefault(self._now, {})[question] = None
        if question not in self.answers and question in self.memory.answers:
            self._reuse(question)
        if question not in self.answers:
            self.answers[question] = ()
            self.put(question)
        return _told(self.form, self.answers[question])

    def _reuse(self, first: Question) -> None:
        """What has settled before, with all that it led to, costs what it cost."""
        pending = [first]
        while pending:
            question = pending.pop()
            if question not in self.answers:
                self.answers[question] = self.memory.answers[question]
                self._count(question, self.memory.steps[question])
                pending.extend(self.memory.asked[question])

    def next(self) -> Question:
        """One to be looked at; its own are those who have to be asked while it is.

        That which was met last comes first: it is deepest, and those who asked for it want to see it settled.
        """
        question = self._now = heappop(self.waiting)[1]
        self._queued.discard(question)
        return question

    def put(self, question: Question) -> None:
        """It has to be looked at (again)."""
        if question not in self._queued:
            self._queued.add(question)
            heappush(self.waiting, (self._met.setdefault(question, -len(self._met)), question))

    def grow(self, question: Question, found: Explored) -> None:
        """Take in what came out; those who asked have to look again where it is more than before."""
        self._count(question, found.steps)
        before = self.answers[question]
        after = _joined(before, found.ways) if found.ways is not None else None
        if after is None:
            raise _TooMuchError
        if after != before:
            self.answers[question] = after
            for asking in self._asking.get(question, ()):
                self.put(asking)

    def _count(self, question: Question, steps: int) -> None:
        flow, before = question.callee, self._steps.get(question, 0)
        self._steps[question] = max(before, steps)
        taken = self._taken[flow] = self._taken.get(flow, 0) + self._steps[question] - before
        if taken > MAX_GROUP_PAIRS + flow.operations * (
            GROUP_PAIRS_PER_PLAIN_OP if self.form in (Form.PLAIN, Form.FREE) else GROUP_PAIRS_PER_OP
        ):
            raise _TooMuchError

    def keep(self) -> None:
        """They have settled."""
        memory = self.memory
        for question, ways in self.answers.items():
            if question not in memory.answers:
                memory.answers[question] = ways
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
