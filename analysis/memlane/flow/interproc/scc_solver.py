"""Answers to questions about functions, each found by following a function that asks again about those it calls.

An answer is a tuple of ways a call may go. Questions of functions that do not call each other are answered once, when
they are asked. Among functions that do, answers grow from the empty one until they settle, as in functional summaries
(Sharir and Pnueli, "Two approaches to interprocedural data flow analysis", 1981), with a list of what has to be looked
at again. Calls may be nested to any depth: the interpreter's stack is left when it has become deep, the question that
was too deep is answered first, and the others are asked again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from heapq import heappop, heappush
from typing import Generic, TypeVar, cast

from memlane.cancellation import poll
from memlane.flow.interproc.limits import MAX_GROWTHS, MAX_NESTED

Key = TypeVar("Key", bound=Hashable)
Way = TypeVar("Way", bound=Hashable)


class Group:
    """Functions that call each other, directly or not; most functions are alone.

    Args:
        size: how many.
        recursive: whether there are calls within it.
    """

    __slots__ = ("recursive", "size")

    def __init__(self, size: int, recursive: bool) -> None:
        self.size = size
        self.recursive = recursive


class _TooDeepError(Exception):
    def __init__(self, question: object) -> None:
        super().__init__()
        self.question = question


class Fixpoint(ABC, Generic[Key, Way]):
    """The answers of a group so far, their dependents, and the questions to be looked at (again)."""

    def __init__(self, group: Group) -> None:
        self.group = group
        self.answers: dict[Key, tuple[Way, ...] | None] = {}
        self.waiting: list[tuple[int, Key]] = []
        self._met: dict[Key, int] = {}
        self._queued: set[Key] = set()
        self._asking: dict[Key, dict[Key, None]] = {}
        self._now: Key | None = None

    def consult(self, question: Key) -> tuple[Way, ...] | None:
        """The answer so far, for the question that is being looked at."""
        if self._now is not None:
            self._asking.setdefault(question, {})[self._now] = None
        if question not in self.answers:
            self.answers[question] = ()
            self.put(question)
        return self.answers[question]

    def next(self) -> Key:
        """A question to be looked at; its own are those that are asked while it is.

        That which was met last comes first: it is deepest, and those who asked for it want to see it settled.
        """
        question = self._now = heappop(self.waiting)[1]
        self._queued.discard(question)
        return question

    def put(self, question: Key) -> None:
        """It has to be looked at (again)."""
        if question not in self._queued:
            self._queued.add(question)
            heappush(self.waiting, (self._met.setdefault(question, -len(self._met)), question))

    @abstractmethod
    def look(self, question: Key) -> None:
        """Look at a question, and take in what comes out."""

    def change(self, question: Key, answer: tuple[Way, ...] | None) -> None:
        """Take in an answer; where it is another than before, those who asked have to look again."""
        if answer != self.answers[question]:
            self.answers[question] = answer
            for asking in self._asking.get(question, ()):
                self.put(asking)


class Questions(ABC, Generic[Key, Way]):
    """The questions of one program.

    Args:
        group: of the function that a question is about.

    Attributes:
        known: the answers so far; None: there are too many ways, or they do not settle.
    """

    def __init__(self, group: Callable[[Key], Group]) -> None:
        self.known: dict[Key, tuple[Way, ...] | None] = {}
        self._group = group
        self._nested = 0
        self._settling: Fixpoint[Key, Way] | None = None

    def of(self, question: Key) -> tuple[Way, ...] | None:
        """The ways; see `known`."""
        group = self._group(question)
        if self._settling is not None and self._settling.group is group:
            return self._settling.consult(question)
        if question not in self.known:
            if self._settling is None and not self._nested:
                self._from_the_start(question)
            elif group.recursive or self._nested > MAX_NESTED:
                raise _TooDeepError(question)
            else:
                self._answer(question)
        return self.known[question]

    def _from_the_start(self, first: Key) -> None:
        """Answer a question with nothing under way; those that turn out too deep come before it."""
        outer, nested = self._settling, self._nested
        self._settling, self._nested = None, 0
        pending = [first]
        try:
            while pending:
                question, group = pending[-1], self._group(pending[-1])
                try:
                    if question not in self.known:
                        _ = self._settle(question, group) if group.recursive else self._answer(question)
                    pending.pop()
                except _TooDeepError as deep:
                    pending.append(cast("Key", deep.question))
        finally:
            self._settling, self._nested = outer, nested

    def _answer(self, question: Key) -> None:
        self._nested += 1
        try:
            self.known[question] = self._alone(question)
        finally:
            self._nested -= 1

    def _until_settled(self, settling: Fixpoint[Key, Way], first: Key) -> None:
        """Let the answers that one rests on grow until none changes."""
        self._settling = settling
        try:
            settling.consult(first)
            while settling.waiting:
                poll()
                question = settling.next()
                try:
                    settling.look(question)
                except _TooDeepError as deep:
                    settling.put(question)
                    self._from_the_start(cast("Key", deep.question))
        finally:
            self._settling = None

    @abstractmethod
    def _alone(self, question: Key) -> tuple[Way, ...] | None:
        """The answer to a question of a function that does not call itself."""

    @abstractmethod
    def _settle(self, first: Key, group: Group) -> None:
        """Answer a question of one of several functions that call each other."""


class Answers(Questions[Key, Way]):
    """Questions of those who ask all at once, not again after each edit (there: summary_engine.py): where a limit is
    reached depends on what is known already.

    Args:
        explore: the ways, by following the function; None: too many.
        most: how often a function of a group is followed, on average, for one question from outside; what is asked
            beyond is too much.
    """

    def __init__(
        self, group: Callable[[Key], Group], explore: Callable[[Key], tuple[Way, ...] | None], most: int
    ) -> None:
        super().__init__(group)
        self._explore = explore
        self._most = most

    def _alone(self, question: Key) -> tuple[Way, ...] | None:
        return self._explore(question)

    def _settle(self, first: Key, group: Group) -> None:
        settling = _AnswerFixpoint(group, self.known, self._explore, self._most * group.size)
        self._until_settled(settling, first)
        self.known.update(settling.answers)


class _AnswerFixpoint(Fixpoint[Key, Way]):
    """Answers that grow some times at most. `known`: those that do no more; `left`: how often functions are
    followed."""

    def __init__(
        self,
        group: Group,
        known: Mapping[Key, tuple[Way, ...] | None],
        explore: Callable[[Key], tuple[Way, ...] | None],
        left: int,
    ) -> None:
        super().__init__(group)
        self._known, self._explore, self._left = known, explore, left
        self._grown: Counter[Key] = Counter()

    def consult(self, question: Key) -> tuple[Way, ...] | None:
        """See `Fixpoint.consult`."""
        return self._known[question] if question in self._known else super().consult(question)

    def look(self, question: Key) -> None:
        """See `Fixpoint.look`."""
        self._left -= 1
        before = self.answers[question]
        found = self._explore(question) if before is not None and self._left >= 0 else None
        self._grown[question] += found != before
        self.change(question, found if self._grown[question] <= MAX_GROWTHS else None)
