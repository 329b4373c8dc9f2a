"""Comments and findings -> what is still said, what is silenced and why, and which comments silence nothing.

Which findings a comment reaches, by where they begin:

- behind a statement: those of its line and of that statement;
- alone on its line: those of the statement that follows in the same chunk, and of the line that begins on;
- for a file: all; `off`: all from there to its `on`, or to the end.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter
from typing import NamedTuple

from memlane.config import Config
from memlane.config.options import matches
from memlane.findings import Finding, Severity, Span, Suppressed
from memlane.suppressions.comments import Comment, SilencedRule, Word, line_around
from memlane.suppressions.unused_comments import Stale, reports
from memlane.syntax import Document
from memlane.syntax.editing.piece import Sort

RULE = "unused-suppression"


class Results(NamedTuple):
    """What a check came to, both in source order."""

    findings: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...] = ()


@dataclass(slots=True, eq=False)
class _Placed:
    """A comment where it stands in the document.

    Args:
        start: offset of the text its own offsets count from.
        reaches: for each of its entries, the ranges in which it silences.
        used: the entries that silenced something.
        ends: for `on`: the comments of which it ends an entry.
    """

    comment: Comment
    start: int
    reaches: list[list[Span]]
    used: set[SilencedRule] = field(default_factory=set[SilencedRule])
    ends: list[_Placed] = field(default_factory=list["_Placed"])

    @property
    def offset(self) -> int:
        """Where it begins in the document."""
        return self.start + self.comment.span.start


def silenced(
    document: Document, said: Sequence[tuple[Comment, ...]], found: Sequence[Finding], config: Config
) -> Results:
    """What `found` (in source order) comes to under the comments of each piece of `document`."""
    placed = _placed(document, said)
    if not placed:
        return Results(tuple(found))
    starts = [finding.report.span.start for finding in found]
    by: dict[int, Comment] = {}
    known: dict[tuple[str, Span], list[int]] = {}
    for one in placed:
        for entry, reaches in zip(one.comment.entries, one.reaches, strict=True):
            for reach in reaches:
                numbers = known.get((entry.pattern, reach))
                if numbers is None:
                    within = range(bisect_left(starts, reach.start), bisect_left(starts, reach.end))
                    numbers = [number for number in within if matches(entry.pattern, found[number].rule.name)]
                    known[entry.pattern, reach] = numbers
                    for number in numbers:
                        by.setdefault(number, one.comment)
                if numbers:
                    one.used.add(entry)
    kept = [finding for number, finding in enumerate(found) if number not in by]
    silent = [Suppressed(found[number], by[number].reason) for number in sorted(by)]
    sound = [one for one in placed if not one.comment.fault]
    speakers = [one for one in sound if any(matches(entry.pattern, RULE) > 1 for entry in one.comment.entries)]
    over_others = [one for one in speakers if one.comment.word is not Word.LINE]
    for finding in _judged(document, placed, found, config):
        over = _spoken_for(finding, speakers, over_others)
        if over is None:
            kept.append(finding)
        else:
            silent.append(Suppressed(finding, over.reason))
    kept.sort(key=_start)
    silent.sort(key=lambda one: _start(one.finding))
    return Results(tuple(kept), tuple(silent))


def _start(finding: Finding) -> tuple[int, int, str]:
    return finding.report.span.start, finding.report.span.end, finding.rule.name


def _placed(document: Document, said: Sequence[tuple[Comment, ...]]) -> list[_Placed]:
    """The comments, in text order, with what each reaches."""
    placed: list[_Placed] = []
    off: dict[str, tuple[_Placed, int, int]] = {}
    for number, those in enumerate(said):
        start = document.starts[number]
        for comment in those:
            one = _Placed(comment, start, [[] for _ in comment.entries])
            if comment.fault:
                pass
            elif comment.word is Word.FILE:
                one.reaches = [[Span(0, document.size + 1)] for _ in comment.entries]
            elif comment.word is Word.LINE:
                one.reaches = [list(_near(document, number, comment)) for _ in comment.entries]
            elif comment.word is Word.OFF:
                for index, entry in enumerate(comment.entries):
                    off.setdefault(entry.pattern, (one, index, one.offset))  # what is off already stays so
            else:
                names = [entry.pattern for entry in comment.entries] or list(off)
                for name in names:
                    if name in off:
                        opened, index, at = off.pop(name)
                        opened.reaches[index].append(Span(at, one.offset))
                        one.ends.append(opened)
                        one.used.update(entry for entry in comment.entries if entry.pattern == name)
            placed.append(one)
    for opened, index, at in off.values():
        opened.reaches[index].append(Span(at, document.size + 1))
    return placed


def _near(document: Document, number: int, comment: Comment) -> Iterator[Span]:
    """The line and the statement that a comment is about."""
    piece, start = document.pieces[number], document.starts[number]
    at = comment.span.start
    if not (comment.alone and _begins_line(document, number, comment.line.start)):
        yield Span(start + comment.line.start, start + comment.line.end + 1)
        index = bisect_right(piece.statements.starts, at) - 1
        if index >= 0:
            yield _statement(document, number, index)
        return
    while True:
        index = bisect_left(document.pieces[number].statements.starts, at)
        if index < len(document.pieces[number].statements.starts):
            following = _statement(document, number, index)
            line = line_around(document.pieces[number].text, following.start - document.starts[number])
            yield following
            yield Span(following.start, document.starts[number] + line.end + 1)
            return
        number, at = number + 1, 0
        if number == len(document.pieces) or document.pieces[number].sort is Sort.SEPARATOR:
            return


def _begins_line(document: Document, number: int, lead: int) -> bool:
    """Whether `lead`, where a line seems to begin in a piece, is where one begins in the document."""
    return lead > 0 or number == 0 or document.pieces[number - 1].text.endswith(("\n", "\r"))


def _statement(document: Document, number: int, index: int) -> Span:
    """A statement of a piece, up to the next one."""
    piece, start = document.pieces[number], document.starts[number]
    starts = piece.statements.starts
    end = starts[index + 1] if index + 1 < len(starts) else len(piece.text)
    return Span(start + starts[index], start + end)


def _judged(
    document: Document, placed: Sequence[_Placed], found: Sequence[Finding], config: Config
) -> Iterator[Finding]:
    """Findings about the comments themselves, as far as they can be judged."""
    from memlane.rules import all_rules
    from memlane.run_rules import finding as judged  # the rules import the analyses: only where there are comments

    rule = all_rules()[RULE]
    if config.severity(rule) is Severity.OFF:
        return
    tree = document.tree
    sure = tree.cut is None and not any(problem.rule == "syntax" for problem in tree.problems)
    sure = sure and not any(finding.rule.name == "analysis-limit" for finding in found)
    partners = _partners(placed)
    stale = [
        Stale(one.comment, one.start, frozenset(one.used), bool(one.ends), tuple(partners.get(one, ())))
        for one in placed
    ]
    for report in reports(document.source, stale, _speaks(config), sure):
        yield judged(rule, report, None, config)


def _partners(placed: Sequence[_Placed]) -> dict[_Placed, list[tuple[Comment, int]]]:
    """Of each `off`, the `on` comments that go when it goes: those that end nothing else."""
    partners: dict[_Placed, list[tuple[Comment, int]]] = {}
    for one in placed:
        if one.ends and all(opened is one.ends[0] for opened in one.ends):
            partners.setdefault(one.ends[0], []).append((one.comment, one.start))
    return partners


def _speaks(config: Config) -> Callable[[str], bool | None]:
    """Whether a pattern names rules, and all of them are on; None: it names none."""
    from memlane.rules import all_rules

    @cache
    def speaks(pattern: str) -> bool | None:
        named = [rule for rule in all_rules().values() if matches(pattern, rule.name)]
        if not named:
            return None
        wanted = [rule for rule in named if rule.severity is not Severity.OFF] or named
        return RULE not in [rule.name for rule in named if pattern == rule.name] and all(
            config.severity(rule) is not Severity.OFF for rule in wanted
        )

    return speaks


def _spoken_for(finding: Finding, speakers: Sequence[_Placed], over_others: Sequence[_Placed]) -> Comment | None:
    """The comment that silences a finding about a comment: that comment, one around it or one for the file; the first.

    Args:
        speakers: those that silence such, in text order. `over_others`: those of them that reach others.
    """
    at = finding.report.span.start
    last = bisect_right(speakers, at, key=attrgetter("offset")) - 1
    itself = speakers[last] if last >= 0 and at < speakers[last].start + speakers[last].comment.span.end else None
    for one in over_others:
        if itself is not None and one.offset >= itself.offset:
            break
        for entry, reaches in zip(one.comment.entries, one.reaches, strict=True):
            if matches(entry.pattern, RULE) > 1 and any(reach.start <= at < reach.end for reach in reaches):
                return one.comment
    return itself.comment if itself is not None else None
