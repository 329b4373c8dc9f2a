"""Problems of reading, of which a text without sense has as many as characters: the first ones, and how many more.

Of each rule the first `MAX_PROBLEMS_PER_RULE` of a document are reported, in text order, and one more that counts the
others. Ten thousand are more than anyone reads; keeping and sorting millions would cost more than reading the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from memlane.findings import Applicability, Edit, Fix, Span
from memlane.syntax.limits import MAX_PROBLEMS_PER_RULE


class Problem(NamedTuple):
    """Something about the text itself. `rule` is `syntax`, `undefined-value`, `redefined-value`, ...

    `notes` point at other places (the first definition of a redefined value); `suggestion` is what was probably
    meant instead of the text of `span`; `fix` is a repair that touches more than that.
    """

    rule: str
    message: str
    span: Span
    notes: tuple[tuple[str, Span], ...] = ()
    suggestion: str | None = None
    fix: Fix | None = None

    @property
    def repair(self) -> Fix | None:
        """The fix, or the one that puts in what was probably meant: that needs a look."""
        if self.fix is not None or self.suggestion is None:
            return self.fix
        edits = (Edit(self.span, self.suggestion),)
        return Fix(f"Change to '{self.suggestion}'", edits, Applicability.UNSAFE)


class Problems:
    """Collects problems in any order, and lets go of those that are certainly not among the first."""

    __slots__ = ("_found", "_limit", "_others")

    def __init__(self) -> None:
        self._found: list[Problem] = []
        self._others: Counter[str] = Counter()
        self._limit = 4 * MAX_PROBLEMS_PER_RULE

    def add(self, problem: Problem) -> None:
        """One more."""
        self._found.append(problem)
        if len(self._found) > self._limit:
            self._trim()

    def count(self, others: Mapping[str, int]) -> None:
        """So many more of each rule, which come after `MAX_PROBLEMS_PER_RULE` of it that have been added."""
        for rule, number in others.items():
            self._others[rule] += number

    def first(self) -> tuple[tuple[Problem, ...], Mapping[str, int]]:
        """The first ones of each rule, in text order, one more than are reported; and the number of the others."""
        self._trim()
        return tuple(self._found), dict(self._others)

    def told(self) -> tuple[tuple[Problem, ...], int | None]:
        """The problems to tell, in text order; and where the first stands that is only counted, if any is."""
        self._trim()
        seen: Counter[str] = Counter()
        found: list[Problem] = []
        cut: int | None = None
        for problem in self._found:
            seen[problem.rule] += 1
            if seen[problem.rule] > MAX_PROBLEMS_PER_RULE:
                cut = problem.span.start if cut is None else cut
                problem = _counting(problem.rule, 1 + self._others[problem.rule], problem.span)
            found.append(problem)
        return tuple(sorted(found, key=_order)), cut

    def _trim(self) -> None:
        """Keep the first of each rule, and one more, so that it is known where the others begin."""
        seen: Counter[str] = Counter()
        kept: list[Problem] = []
        for problem in sorted(self._found, key=_order):
            seen[problem.rule] += 1
            if seen[problem.rule] <= MAX_PROBLEMS_PER_RULE + 1:
                kept.append(problem)
            else:
                self._others[problem.rule] += 1
        self._found = kept
        self._limit = len(kept) + 4 * MAX_PROBLEMS_PER_RULE


def _counting(rule: str, count: int, span: Span) -> Problem:
    things = "problem" if count == 1 else "problems"
    return Problem(rule, f"{count} more {things} of this kind from here on", span)


def _order(problem: Problem) -> tuple[Span, str, str]:
    return problem.span, problem.rule, problem.message


def moved(problem: Problem, distance: int) -> Problem:
    """The problem with all its spans further on by `distance`."""
    notes = tuple((text, Span(span.start + distance, span.end + distance)) for text, span in problem.notes)
    span = Span(problem.span.start + distance, problem.span.end + distance)
    fix = problem.fix
    if fix is not None:
        edits = (Edit(Span(one.span.start + distance, one.span.end + distance), one.content) for one in fix.edits)
        fix = replace(fix, edits=tuple(edits))
    return problem._replace(span=span, notes=notes, fix=fix)
