"""What is found in a document, part by part: a part is what was found in one portion of it, and stays as it is.

An edit moves most findings and changes few. So findings keep the places they had when they were made, and a part says
how far its portions have moved since; who shows findings can keep what was made of a `FindingsMemory`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from memlane.findings import Buffer, Edit, Finding, Fix, Late, Note, Report, Span, Suppressed
from memlane.syntax import Document
from memlane.syntax.editing.piece import Piece
from memlane.syntax.editing.strips import Portion

Order = tuple[int, int, str, str, list[Span]]
"""Start and end of a finding, its rule, its message, where its notes are."""


class FindingsPart(NamedTuple):
    """Some findings, in source order.

    Args:
        findings: with places as they were when `owners` began at `then`.
        owners: the portions that their spans lie in, in text order; none: the places are those of the document. One may
            be there several times: for parts of it.
        then, now: the offsets at which those began when the findings were made, and where they begin in the document.
    """

    findings: tuple[Finding, ...]
    owners: tuple[Portion, ...] = ()
    then: tuple[int, ...] = ()
    now: tuple[int, ...] = ()

    def placed(self) -> tuple[Finding, ...]:
        """The findings in the places of the document."""
        if self.then == self.now:
            return self.findings
        move = mover(self.then, self.now)
        return tuple([moved(finding, move) for finding in self.findings])

    def near(self, wanted: Collection[Span]) -> FindingsPart:
        """The same without some findings that have no place which touches one of some spans of the document."""
        distances = [now - then for then, now in zip(self.then, self.now, strict=True)] or [0]
        low, high = min(distances), max(distances)
        places = [(span.start - high, span.end - low) for span in wanted]

        def touches(finding: Finding) -> bool:
            there = spans(finding)
            return any(one.start <= end and start <= one.end for one in there for start, end in places)

        return self._replace(findings=tuple(filter(touches, self.findings)))


@dataclass(frozen=True, eq=False)
class FindingsMemory:
    """Some of what was found in a portion, of which all speaks of the same portions: the same object as long as these
    are the same findings.

    Args:
        home: the portion.
        findings: in source order, where the portions stood when it was found.
        owners: the portions its spans lie in, in text order. One may be there several times: for parts of it.
        starts: where those stood. `offsets`: how far behind the beginning of its portion each stands now.
        plain: they all begin in `home`, and none is of a rule that speaks once.
    """

    __slots__ = ("__weakref__", "findings", "home", "offsets", "owners", "plain", "starts")

    home: Portion
    findings: tuple[Finding, ...]
    owners: tuple[Portion, ...]
    starts: tuple[int, ...]
    offsets: tuple[int, ...]
    plain: bool

    def orders(self, at: Mapping[Portion, int]) -> Iterator[Order]:
        """What sorts its findings among others, where the portions stand now."""
        part = self.part(at)
        move = mover(part.then, part.now) if part.then != part.now else None
        return (order(finding, move) for finding in self.findings)

    def part(self, at: Mapping[Portion, int]) -> FindingsPart:
        """The findings, and where the portions stand now."""
        now = [at[owner] + offset for owner, offset in zip(self.owners, self.offsets, strict=True)]
        return FindingsPart(self.findings, self.owners, self.starts, tuple(now))


@dataclass(slots=True, eq=False)
class Parts:
    """All that is found in a document, portion by portion.

    Args:
        at: where the portions of the document stand.
        memories: of each portion what was found there, where it is known and kept.
        loose: of some portions, by number, all that is found there, in source order, in the places of the document;
            these have no memory. Below 0 where the document has none.
        suppressed: what its comments silence.
        returning: of functions, by their pieces, per result the positions of the arguments it may be, where known.
    """

    document: Document
    at: Mapping[Portion, int]
    memories: Sequence[tuple[FindingsMemory, ...] | None] = ()
    loose: Mapping[int, tuple[Finding, ...]] = field(default_factory=dict[int, "tuple[Finding, ...]"])
    suppressed: tuple[Suppressed, ...] = ()
    returning: Mapping[Piece, tuple[frozenset[int], ...]] = field(
        default_factory=dict[Piece, "tuple[frozenset[int], ...]"]
    )

    @property
    def parts(self) -> Iterator[FindingsPart]:
        """What is found, in source order."""
        kept = [number for number, memories in enumerate(self.memories) if memories]
        for number in sorted((*self.loose, *kept)):
            memories = self.memories[number] if number not in self.loose else None
            if memories is None:
                yield FindingsPart(self.loose[number])
            elif len(memories) == 1:
                yield memories[0].part(self.at)
            else:
                yield FindingsPart(placed(memories, self.at))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings in source order."""
        return tuple(finding for part in self.parts for finding in part.placed())

    def near(self, wanted: Collection[Span]) -> Iterator[Finding]:
        """The findings with a place that touches one of some spans, and some others, in source order."""
        portions, starts = self.document.portions
        touched: set[Portion] = set()
        for span in wanted:
            touched.update(portions[max(0, bisect_left(starts, span.start) - 1) : bisect_right(starts, span.end)])
        apart = touched.isdisjoint
        found = {
            number: those
            for number, memories in enumerate(self.memories)
            if memories and (those := [memory for memory in memories if not apart(memory.owners)])
        }
        for number in sorted({*self.loose, *found}):
            if number in self.loose:
                yield from FindingsPart(self.loose[number]).near(wanted).placed()
            else:
                parts = (memory.part(self.at).near(wanted) for memory in found[number])
                yield from sorted((one for part in parts for one in part.placed()), key=order)


def placed(memories: Iterable[FindingsMemory], at: Mapping[Portion, int]) -> tuple[Finding, ...]:
    """What some memories say, in source order, where portions stand now."""
    return tuple(sorted((one for memory in memories for one in memory.part(at).placed()), key=order))


def moved(finding: Finding, move: Callable[[Span], Span]) -> Finding:
    """The finding with `move` done to all its spans."""
    report = finding.report
    buffer, late, fix = report.buffer, report.late, report.fix
    if buffer is not None:
        buffer = Buffer(buffer.name, move(buffer.span), buffer.size, buffer.expression)
    if late is not None:
        after = move(late.after) if late.after is not None else None
        late = Late(after, late.operations, tuple([move(span) for span in late.before]))
    if fix is not None:
        edits = tuple(Edit(move(edit.span), edit.content) for edit in fix.edits)
        fix = Fix(fix.message, edits, fix.applicability, fix.reason, fix.additions)
    notes = tuple([Note(note.message, move(note.span)) for note in report.notes])
    span = move(report.span)
    report = Report(report.message, span, report.certainty, buffer, notes, late, fix, report.severity, report.doubt)
    return Finding(finding.rule, finding.severity, report, finding.function)


def spans(finding: Finding) -> Iterator[Span]:
    """All its spans."""
    report = finding.report
    yield report.span
    if report.buffer is not None:
        yield report.buffer.span
    if report.late is not None:
        yield from report.late.before
        if report.late.after is not None:
            yield report.late.after
    for note in report.notes:
        yield note.span
    for edit in report.fix.edits if report.fix is not None else ():
        yield edit.span


def mover(old: tuple[int, ...], new: tuple[int, ...]) -> Callable[[Span], Span]:
    """Moves spans that lie in pieces: from where those began to where they begin."""
    distances = [after - before for before, after in zip(old, new, strict=True)]

    def move(span: Span) -> Span:
        distance = distances[bisect_right(old, span.start) - 1]
        return Span(span.start + distance, span.end + distance)

    return move


def order(finding: Finding, move: Callable[[Span], Span] | None = None) -> Order:
    """Sorts findings in source order; those of one place and rule by what they say, whatever was found out first.

    `move`: done to its spans.
    """
    report = finding.report
    if move is not None:
        start, end = move(report.span)
        return start, end, finding.rule.name, report.message, [move(note.span) for note in report.notes]
    start, end = report.span
    return start, end, finding.rule.name, report.message, [note.span for note in report.notes]


def once(found: Iterable[Finding]) -> Iterator[Finding]:
    """Of the findings of a rule that speaks once, the first with its message; all others."""
    said: set[tuple[str, str]] = set()
    for finding in found:
        if finding.rule.once:
            key = finding.rule.name, finding.report.message
            if key in said:
                continue
            said.add(key)
        yield finding
