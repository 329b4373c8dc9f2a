"""Findings -> the JSON text of diagnostics, piece by piece: what was written once of a piece is used again.

An edit changes few findings; most stay what they are and, unless lines are added or removed, where they are. So what is
remembered of a piece is written as a template with its line numbers left open, and pieces in a row are kept as text
until one of them changes or their lines move (runs.py). Places come from the pieces of the document: neither the text
is put together for this, nor its line table.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from json.encoder import encode_basestring_ascii
from threading import Lock
from typing import NamedTuple
from weakref import WeakKeyDictionary

from memlane.findings import Finding, Rule, Severity, Span, gathered
from memlane.links import rule_url
from memlane.parts import Memory, Parts
from memlane.syntax.editing.pieces import Piece
from memlane.text import Text
from memlane_server.convert import SEVERITIES, Converter
from memlane_server.ranges import Lines, Place, Ranges
from memlane_server.runs import Runs


class Here(NamedTuple):
    """Where pieces begin, for a run whose own are at hand.

    Args:
        here: the lines of its pieces. `now`: gives those of others.
        elsewhere: takes what that gave.
    """

    here: Mapping[Piece, int]
    now: Callable[[Piece], int]
    elsewhere: dict[Piece, int]

    def of(self, piece: Piece) -> int:
        """The line at which a piece begins."""
        line = self.here.get(piece)
        if line is None:
            line = self.elsewhere[piece] = self.now(piece)
        return line


class _Written(NamedTuple):
    """What is remembered of a piece, as text.

    Args:
        template: with `%d` for each line number.
        lines: for each of those, the number of the owner it counts from, and how far.
    """

    template: str
    lines: tuple[tuple[int, int], ...]


class Publisher:
    """Writes the findings of one document's versions for one client. May be shared by threads: they take turns."""

    def __init__(self, uri: str, encoding: str, related: bool) -> None:
        self._encoding = encoding
        self._related = related
        self._uri = json.dumps(uri)
        self._uri_escaped = _text(uri)  # in a template
        self._lock = Lock()
        self._runs = Runs()
        self._kept: WeakKeyDictionary[Memory, _Written] = WeakKeyDictionary()

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
        runs, loose = self._runs, sorted(found.loose, reverse=True)
        if not runs.follow(found.document.pieces) or (loose and loose[-1] < 0):
            return [self._plainly(Text(found.document.source), found.findings)]

        def now(piece: Piece) -> int:
            return runs.line(bisect_right(found.document.starts, found.at[piece]) - 1)

        texts: list[bytes] = []
        for first, line, run in runs.placed():
            memories = found.memories[first : first + len(run.pieces)]
            apart: dict[int, str] = {}
            while loose and loose[-1] < first + len(run.pieces):
                number = loose.pop()
                apart[number - first] = self._loose(found, number)
            if apart or not run.says(memories, line, runs.layout, now):
                elsewhere: dict[Piece, int] = {}
                lines = Here(run.firsts(line), now, elsewhere)
                text = ",".join(filter(None, self._said(memories, lines, apart))).encode()
                run.keep(text, None if apart else memories, line, runs.layout, elsewhere)
            texts.append(run.text)
        return b"[", b",".join(filter(None, texts)), b"]"

    def _said(self, memories: Sequence[Memory | None], lines: Here, apart: Mapping[int, str]) -> Iterator[str]:
        """What is said of the pieces of a run; `apart`: of some, by their number in it, what is said in place of it."""
        for number, memory in enumerate(memories or [None] * len(lines.here)):
            if number in apart:
                yield apart[number]
            elif memory is not None and memory.findings:
                written = self._kept.get(memory) or self._write(memory)
                at = [lines.of(owner) for owner in memory.owners]
                yield written.template % tuple([at[owner] + line for owner, line in written.lines])

    def _write(self, memory: Memory) -> _Written:
        tables = {owner: Lines(owner) for owner in memory.owners}
        lines = [tables[owner] for owner in memory.owners]
        ranges = Ranges(memory.starts, lines.__getitem__, self._encoding, memory.offsets)
        written = self._kept[memory] = _Written(*self._items(memory.findings, ranges.of))
        return written

    def _loose(self, found: Parts, number: int) -> str:
        """Findings that nobody keeps: their places are those of the document."""
        document = found.document

        @cache
        def lines_of(number: int) -> Lines:
            return Lines(document.pieces[number])

        items, lines = self._items(found.loose[number], Ranges(document.starts, lines_of, self._encoding).of)
        return items % tuple([self._runs.line(number) + line for number, line in lines])

    def _plainly(self, text: Text, findings: tuple[Finding, ...]) -> bytes:
        """The list where a piece begins in the middle of a line, or pieces are not known yet."""
        convert = Converter(text, self._encoding)

        def places(span: Span) -> tuple[Place, Place]:
            start, end = map(convert.position, span)
            return (0, start.line, start.character), (0, end.line, end.character)

        items, lines = self._items(findings, places)
        return f"[{items % tuple([line for _, line in lines])}]".encode()

    def _items(
        self, findings: tuple[Finding, ...], places: Callable[[Span], tuple[Place, Place]]
    ) -> tuple[str, tuple[tuple[int, int], ...]]:
        """The items of a JSON list, without their line numbers, and what those are."""
        lines: list[tuple[int, int]] = []

        def range_(span: Span) -> str:
            (one, line, column), (other, last, end) = places(span)
            lines.extend(((one, line), (other, last)))
            return f'{{"start":{{"line":%d,"character":{column}}},"end":{{"line":%d,"character":{end}}}}}'

        return ",".join([self._item(finding, range_) for finding in findings]), tuple(lines)

    def _item(self, finding: Finding, range_: Callable[[Span], str]) -> str:
        report = finding.report
        said = (
            f'{{"range":{range_(report.span)},"message":{_text(report.message)},{_of(finding.rule, finding.severity)}'
        )
        if not (self._related and report.notes):
            return said + "}"
        notes = [
            f'{{"location":{{"uri":{self._uri_escaped},"range":{range_(note.span)}}},"message":{_text(note.message)}}}'
            for note in gathered(report.notes)
        ]
        return f'{said},"relatedInformation":[{",".join(notes)}]}}'


@lru_cache(maxsize=256)
def _of(rule: Rule, severity: Severity) -> str:
    """What is said of all findings of a rule, in a template."""
    href = _text(rule_url(rule.name))
    said = (
        f'"severity":{SEVERITIES[severity].value},"code":{_text(rule.name)},'
        f'"codeDescription":{{"href":{href}}},"source":"memlane"'
    )
    return said + ',"tags":[1]' if rule.unnecessary else said


def _text(text: str) -> str:
    """A JSON string in a template."""
    return encode_basestring_ascii(text).replace("%", "%%")
