"""Answers to questions about functions, each found by following a function that asks again about those it calls.

An answer is a tuple of ways a call may go. Questions of functions that do not call each other are answered once, when
they are asked. Among functions that do, answers grow from the empty one until they settle, as in functional summaries
(Sharir and Pnueli, "Two approaches to interprocedural data flow analysis", 1981): in a small group by asking again, in
a large one with a list of what has to be looked at again. Calls may be nested to any depth: the interpreter's stack is
left when it has become deep, the question that was too deep is answered first, and the others are asked again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar, cast

from memlane.cancellation import poll
from memlane.flow.interproc.limits import MAX_NESTED_QUESTIONS, MAX_ROUNDS, MIN_LISTED_CALLS, MIN_LISTED_FUNCTIONS

Key = TypeVar("Key", bound=Hashable)
Way = TypeVar("Way", bound=Hashable)


class Group:
    """Functions that call each other, directly or not; most functions are alone.

    Args:
        size: how many.
        calls: in how many places they call each other.
    """

    __slots__ = ("calls", "size")

    def __init__(self, size: int, calls: int) -> None:
        self.size = size
        self.calls = calls

    @property
    def recursive(self) -> bool:
        """Whether there are calls within it."""
        return self.size > 1 or self.calls > 0

    @property
    def large(self) -> bool:
        """Whether it is settled with a list."""
        return self.size >= MIN_LISTED_FUNCTIONS or self.calls >= MIN_LISTED_CALLS


class _AnswerTooDeepError(Exception):
    def __init__(self, key: object) -> None:
        super().__init__()
        self.key = key


class Answers(Generic[Key, Way]):
    """The questions of one program.

    Args:
        group: of the function that a question is about.
        explore: the ways, by following the function; None: too many.
        join: two answers of one question in one; None: too many ways.
        most: how often functions of a group are followed for one question from outside, with all that it asks in turn;
            what is asked beyond is too much. What is known already decides how often that is, so this is for those who
            ask all at once, not again after each edit (there: summary_engine.py).
    """

    def __init__(
        self,
        group: Callable[[Key], Group],
        explore: Callable[[Key], tuple[Way, ...] | None],
        join: Callable[[tuple[Way, ...], tuple[Way, ...]], tuple[Way, ...] | None],
        most: int,
    ) -> None:
        self.known: dict[Key, tuple[Way, ...] | None] = {}
        self._group = group
        self._explore = explore
        self._join = join
        self._most = most
        self._followed: Counter[Group] = Counter()
        self._running: dict[Key, tuple[Way, ...]] = {}
        self._rests: list[set[Key]] = []
        self._depth: Counter[Group] = Counter()
        self._settling: _SccFixpoint[Key, Way] | None = None

    def of(self, key: Key) -> tuple[Way, ...] | None:
        """The ways; None: they do not settle, or are too many."""
        group, settling = self._group(key), self._settling
        if settling is not None and settling.group is group:
            return self.known[key] if key in self.known else settling.consult(key)
        if key in self.known:
            return self.known[key]
        if key in self._running:
            self._rests[-1].add(key)
            return self._running[key]
        if not self._running and settling is None:
            self._from_the_start(key)
            return self.known[key]
        if not self._depth[group] and (group.large or len(self._running) > MAX_NESTED_QUESTIONS):
            raise _AnswerTooDeepError(key)
        return self._answer(key, group)

    def _from_the_start(self, first: Key) -> None:
        """Answer a question with nothing under way; those that turn out too deep come before it."""
        outer, running, rests = self._settling, self._running, self._rests
        self._settling, self._running, self._rests = None, {}, []
        self._followed.clear()
        pending = [first]
        try:
            while pending:
                key, group = pending[-1], self._group(pending[-1])
                try:
                    if key not in self.known:
                        _ = self._settle(key, group) if group.large else self._answer(key, group)
                    pending.pop()
                except _AnswerTooDeepError as deep:
                    pending.append(cast("Key", deep.key))
        finally:
            self._settling, self._running, self._rests = outer, running, rests

    def _answer(self, key: Key, group: Group) -> tuple[Way, ...] | None:
        self._running[key] = ()
        self._depth[group] += 1
        rests = set[Key]()
        self._rests.append(rests)
        try:
            found = self._iterate(key, rests)
        finally:
            del self._running[key]
            self._depth[group] -= 1
            self._rests.pop()
        rests.discard(key)
        if not rests:
            self.known[key] = found
        elif self._rests:  # good for now, but not for keeps; nor is what is being found with it
            self._rests[-1].update(rests)
        return found

    def _iterate(self, key: Key, rests: set[Key]) -> tuple[Way, ...] | None:
        """Explore until what a recursive call is answered is what comes out; None: it does not settle.

        Args:
            rests: receives the questions whose answers are still growing that the answer depends on.
        """
        group = self._group(key)
        for _ in range(MAX_ROUNDS):
            self._followed[group] += 1
            if self._followed[group] > self._most:
                return None
            found = self._explore(key)
            if found is None or key not in rests or found == self._running[key]:
                return found
            self._running[key] = found
        return None

    def _settle(self, first: Key, group: Group) -> None:
        """Let the answers that one of a large group rests on grow until none changes."""
        self._settling = settling = _SccFixpoint[Key, Way](group, first)
        while settling.waiting:
            poll()
            key = settling.now = settling.waiting.pop()
            settling.queued.discard(key)
            try:
                found = self._explore(key)
            except _AnswerTooDeepError as deep:
                settling.put(key)
                self._from_the_start(cast("Key", deep.key))
                continue
            before = settling.answers[key]
            after = None if before is None or found is None else self._join(before, found)
            if after != before:
                settling.answers[key] = after
                for asking in settling.asked_by.get(key, ()):
                    settling.put(asking)
        self._settling = None
        self.known.update(settling.answers)


class _SccFixpoint(Generic[Key, Way]):
    """The state of the fixpoint of a large group: the answers so far, their dependents, and the questions to evaluate
    again."""

    __slots__ = ("answers", "asked_by", "group", "now", "queued", "waiting")

    def __init__(self, group: Group, first: Key) -> None:
        self.group = group
        self.now = first
        self.answers: dict[Key, tuple[Way, ...] | None] = {first: ()}
        self.asked_by: dict[Key, dict[Key, None]] = {}
        self.waiting = [first]
        self.queued = {first}

    def consult(self, key: Key) -> tuple[Way, ...] | None:
        """The answer so far, for the one that is being explored."""
        self.asked_by.setdefault(key, {})[self.now] = None
        if key not in self.answers:
            self.answers[key] = ()
            self.put(key)
        return self.answers[key]

    def put(self, key: Key) -> None:
        """It has to be looked at (again)."""
        if key not in self.queued:
            self.queued.add(key)
            self.waiting.append(key)
