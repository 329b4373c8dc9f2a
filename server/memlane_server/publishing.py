"""Findings -> the JSON text of diagnostics, portion by portion: what was written once of one is used again.

An edit changes few findings; most stay what they are and, unless lines are added or removed, where they are. So what is
remembered of a portion is written as a template with its line numbers left open, and portions in a row are kept as text
until one of them changes or their lines move (diagnostic_chunks.py). Places come from the portions of the document:
neither the text is put together for this, nor its line table.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain
from json.encoder import encode_basestring_ascii
from threading import Lock
from typing import NamedTuple
from weakref import WeakKeyDictionary

from memlane.doc_links import rule_url
from memlane.findings import Finding, Report, Rule, Severity, Span, gathered
from memlane.query.findings_store import FindingsMemory, Order, Parts
from memlane.source_frames import SourceFrame, SourceFrames, spoken_of
from memlane.syntax.editing.piece import Piece
from memlane.syntax.editing.strips import Portion
from memlane.text import Text
from memlane_server.convert import SEVERITIES, Converter
from memlane_server.diagnostic_chunks import Memories, Runs, Slot
from memlane_server.range_convert import Lines, Place, Ranges
from memlane_server.source_links import SourceLinks


class Here(NamedTuple):
    """Where portions begin, relative to the current one.

    Args:
        portion: that, which begins at `line`. `now`: gives where others do.
        elsewhere: takes what that gave.
    """

    portion: Portion
    line: int
    now: Callable[[Portion], int]
    elsewhere: dict[Portion, int]

    def of(self, portion: Portion) -> int:
        """The line at which a portion begins."""
        if portion is self.portion:
            return self.line
        line = self.elsewhere[portion] = self.now(portion)
        return line


class _Item(NamedTuple):
    """A finding as text.

    Args:
        template: with `%d` for each line number.
        lines: for each of those, the number of the portion it counts from, and how far.
    """

    template: str
    lines: tuple[tuple[int, int], ...]

    def said(self, first: Callable[[int], int]) -> str:
        """The text. `first`: gives the lines at which portions begin."""
        return self.template % tuple([first(number) + line for number, line in self.lines])


class Publisher:
    """Writes the findings of one document's versions for one client. May be shared by threads: they take turns."""

    def __init__(self, uri: str, encoding: str, related: bool, links: SourceLinks) -> None:
        self._encoding = encoding
        self._related = related
        self._links = links
        self._uri = json.dumps(uri)
        self._uri_escaped = _text(uri)  # in a template
        self._lock = Lock()
        self._runs = Runs()
        self._lines: dict[Portion, Lines] = {}
        self._kept: WeakKeyDictionary[FindingsMemory, Sequence[_Item]] = WeakKeyDictionary()
        self._locating: list[Piece] = []

    def diagnostics(self, found: Parts) -> str:
        """The findings of a version as a JSON list."""
        with self._lock:
            return b"".join(self._list(found)).decode()

    def publication(self, found: Parts, version: int | None) -> bytes:
        """The message that publishes the findings of a version."""
        with self._lock:
            return self._message(self._list(found), version)

    def first(self, text: Text, findings: tuple[Finding, ...], version: int | None) -> bytes:
        """The same of some findings, before all of the version's text has been read."""
        return self._message([self._plainly(text, findings)], version)

    def some(self, text: Text, findings: tuple[Finding, ...]) -> str:
        """Those as a JSON list."""
        return self._plainly(text, findings).decode()

    def _message(self, said: Iterable[bytes], version: int | None) -> bytes:
        which = "" if version is None else f'"version":{version},'
        head = f'{{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{{"uri":{self._uri},{which}'
        return b"".join((f'{head}"diagnostics":'.encode(), *said, b"}}"))

    def _list(self, found: Parts) -> Iterable[bytes]:
        """The list, to be put together."""
        locating = [piece for piece in found.document.pieces if piece.locations]
        if locating != self._locating:  # findings far away may come from other lines
            self._locating = locating
            self._kept.clear()
            self._runs = Runs()
        portions, starts = found.document.portions
        runs, loose = self._runs, sorted(found.loose, reverse=True)
        if not runs.follow(portions) or (loose and loose[-1] < 0):
            return [self._plainly(Text(found.document.source), found.findings)]

        def now(portion: Portion) -> int:
            return runs.line(bisect_right(starts, found.at[portion]) - 1)

        @cache
        def whole() -> SourceFrames:
            return SourceFrames(found.document.source, found.document.locations_at)

        for first, line, run in runs.placed():
            last = first + len(run.slots)
            memories = found.memories[first:last] or (None,) * len(run.slots)
            apart = bool(loose) and loose[-1] < last
            if apart or not run.says(memories, line, runs.layout):
                for number, (at, slot) in enumerate(run.placed(line), first):
                    if apart and loose and loose[-1] == number:
                        slot.keep(self._loose(found, loose.pop(), whole).encode(), None, at, runs.layout, {})
                    elif not slot.says(those := memories[number - first] or (), at, runs.layout, now):
                        self._say(slot, those, at, found, now)
                run.keep(() if apart else memories, line, runs.layout)
        self._lines.clear()
        return b"[", b",".join(chain.from_iterable([run.texts for _, _, run in runs.placed()])), b"]"

    def _say(self, slot: Slot, memories: Memories, line: int, found: Parts, now: Callable[[Portion], int]) -> None:
        """Have a slot, which begins at a line, say what is remembered of its portion."""
        elsewhere: dict[Portion, int] = {}
        lines = Here(slot.portion, line, now, elsewhere)
        if len(memories) == 1:
            said = [*self._items_of(memories[0], lines, found)]
        else:
            ordered: list[tuple[Order, str]] = []
            for memory in memories:
                ordered += zip(memory.orders(found.at), self._items_of(memory, lines, found), strict=True)
            said = [item for _, item in sorted(ordered)]
        slot.keep(",".join(said).encode(), memories, line, self._runs.layout, elsewhere)

    def _items_of(self, memory: FindingsMemory, lines: Here, found: Parts) -> Iterator[str]:
        """The diagnostics for the findings of a memory, one by one."""
        at = [lines.of(owner) for owner in memory.owners]
        for item in self._kept.get(memory) or self._write(memory, found):
            yield item.said(at.__getitem__)

    def _write(self, memory: FindingsMemory, found: Parts) -> Sequence[_Item]:
        lines = list(map(self._lines_of, memory.owners))
        ranges = Ranges(memory.starts, lines.__getitem__, self._encoding, memory.offsets)
        written = self._kept[memory] = self._items(memory.findings, ranges.of, _frames(found, memory))
        return written

    def _lines_of(self, portion: Portion) -> Lines:
        """Those of a portion; found out once for a message."""
        found = self._lines.get(portion)
        if found is None:
            found = self._lines[portion] = Lines(portion)
        return found

    def _loose(self, found: Parts, number: int, frames: Callable[[], SourceFrames]) -> str:
        """Findings that are not memoised: their places are those of the document."""
        portions, starts = found.document.portions
        ranges = Ranges(starts, lambda number: self._lines_of(portions[number]), self._encoding)
        items = self._items(found.loose[number], ranges.of, frames().of_report)
        first = cache(self._runs.line)
        return ",".join([item.said(first) for item in items])

    def _plainly(self, text: Text, findings: tuple[Finding, ...]) -> bytes:
        """The list where a portion begins in the middle of a line, or portions are not known yet."""
        convert = Converter(text, self._encoding)

        def places(span: Span) -> tuple[Place, Place]:
            start, end = convert.places(span)
            return (0, *start), (0, *end)

        items = self._items(findings, places, text.frames.of_report)
        return f"[{','.join([item.said(lambda _: 0) for item in items])}]".encode()

    def _items(
        self, findings: tuple[Finding, ...], places: Callable[[Span], tuple[Place, Place]], frames: Frames
    ) -> Sequence[_Item]:
        """The items of a JSON list."""
        lines: list[tuple[int, int]] = []

        def range_(span: Span) -> str:
            (one, line, column), (other, last, end) = places(span)
            lines.extend(((one, line), (other, last)))
            return f'{{"start":{{"line":%d,"character":{column}}},"end":{{"line":%d,"character":{end}}}}}'

        found: list[_Item] = []
        for finding in findings:
            lines.clear()
            template = self._item(finding, range_, frames(finding.report))
            found.append(_Item(template, tuple(lines)))
        return found

    def _item(self, finding: Finding, range_: Callable[[Span], str], frame: SourceFrame | None) -> str:
        report = finding.report
        message = report.message if self._related or frame is None else f"{report.message} (from {frame})"
        said = f'{{"range":{range_(report.span)},"message":{_text(message)},{_of(finding.rule, finding.severity)}'
        if not (self._related and (report.notes or frame)):
            return said + "}"
        notes = [
            f'{{"location":{{"uri":{self._uri_escaped},"range":{range_(note.span)}}},"message":{_text(note.message)}}}'
            for note in gathered(report.notes)
        ]
        if frame is not None:
            notes.append(f'{{"location":{self._place(frame, report.span, range_)},"message":{_text(f"from {frame}")}}}')
        return f'{said},"relatedInformation":[{",".join(notes)}]}}'

    def _place(self, frame: SourceFrame, own: Span, range_: Callable[[Span], str]) -> str:
        """The location that a frame stands for: its own, or that of the finding where no link may go there."""
        found = self._links.location(frame)
        if found is None:
            return f'{{"uri":{self._uri_escaped},"range":{range_(own)}}}'
        place = f'{{"line":{found.range.start.line},"character":{found.range.start.character}}}'
        return f'{{"uri":{_text(found.uri)},"range":{{"start":{place},"end":{place}}}}}'


Frames = Callable[[Report], "SourceFrame | None"]
"""Where what a finding is about comes from."""


def _frames(found: Parts, memory: FindingsMemory) -> Frames:
    """The same, of findings that have moved since they were made, by the text of the portions that they lie in."""

    @cache
    def frames(number: int) -> SourceFrames:
        owner = memory.owners[number]
        return SourceFrames(owner.text, lambda _: found.document.locations_at(found.at[owner]))

    def frame(span: Span) -> SourceFrame | None:
        number = max(0, bisect_right(memory.starts, span.start) - 1)
        return frames(number).of_statement(span.start - memory.starts[number] + memory.offsets[number])

    return lambda report: next(filter(None, map(frame, spoken_of(report))), None)


@lru_cache(maxsize=256)
def _of(rule: Rule, severity: Severity) -> str:
    """The part that all findings of a rule have in common, as a template."""
    href = _text(rule_url(rule.name))
    said = (
        f'"severity":{SEVERITIES[severity].value},"code":{_text(rule.name)},'
        f'"codeDescription":{{"href":{href}}},"source":"memlane"'
    )
    return said + ',"tags":[1]' if rule.unnecessary else said


def _text(text: str) -> str:
    """A JSON string in a template."""
    return encode_basestring_ascii(text).replace("%", "%%")
