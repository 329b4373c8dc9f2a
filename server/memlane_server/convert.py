"""Offsets and findings of `memlane` to positions and diagnostics of LSP, and back. Nothing else converts positions.

`memlane` counts code points from the start of the text. A client counts lines, and columns in the units it agreed on
when it started: UTF-16 unless both ends know better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lsprotocol import types

from memlane.doc_links import rule_url
from memlane.findings import Edit, Finding, Severity, Span, gathered
from memlane.text import Text
from memlane_server.source_links import SourceLinks

SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFORMATION: types.DiagnosticSeverity.Information,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}


def _utf8(character: str) -> int:
    point = ord(character)
    return 1 if point < 0x80 else 2 if point < 0x800 else 3 if point < 0x10000 else 4


def _utf16(character: str) -> int:
    return 2 if ord(character) > 0xFFFF else 1


def _utf32(character: str) -> int:
    return 1


WIDTHS: dict[str, Callable[[str], int]] = {
    types.PositionEncodingKind.Utf8.value: _utf8,
    types.PositionEncodingKind.Utf16.value: _utf16,
    types.PositionEncodingKind.Utf32.value: _utf32,
}
"""Units of one character, by encoding."""


def to_units(line: str, column: int, encoding: str) -> int:
    """Client units of the first `column` code points of `line`."""
    if line.isascii():
        return min(column, len(line))
    return sum(map(WIDTHS[encoding], line[:column]))


def from_units(line: str, units: int, encoding: str) -> int:
    """Code points that fill `units` client units of `line`. In the middle of a character: before it."""
    if line.isascii():
        return min(units, len(line))
    width, seen = WIDTHS[encoding], 0
    for column, character in enumerate(line):
        seen += width(character)
        if seen > units:
            return column
    return len(line)


class Converter:
    """Conversion for one text and one client."""

    __slots__ = ("encoding", "text")

    def __init__(self, text: Text, encoding: str) -> None:
        self.text = text
        self.encoding = encoding

    def position(self, offset: int) -> types.Position:
        """The client's position of an offset."""
        return types.Position(*self.place(offset))

    def place(self, offset: int) -> tuple[int, int]:
        """The client's line and column of an offset."""
        line, column = self.text.position(offset)
        return line, column if self.text.plain else to_units(self.text.line(line), column, self.encoding)

    def range(self, span: Span) -> types.Range:
        """The client's range of a span."""
        start, end = self.places(span)
        return types.Range(types.Position(*start), types.Position(*end))

    def places(self, span: Span) -> tuple[tuple[int, int], tuple[int, int]]:
        """The client's lines and columns of the two ends of a span."""
        line, column = start = self.place(span.start)
        if self.text.plain and self.text.source.find("\n", *span) < 0:
            return start, (line, column + span.end - span.start)
        return start, self.place(span.end)

    def location(self, uri: str, span: Span) -> types.Location:
        """The client's location of a span in the document `uri`."""
        return types.Location(uri, self.range(span))

    def offset(self, position: types.Position) -> int:
        """The offset of a client's position, clamped to the text."""
        column = (
            from_units(self.text.line(position.line), position.character, self.encoding) if self._has(position) else 0
        )
        return self.text.offset(position.line, column)

    def span(self, range_: types.Range) -> Span:
        """The span of a client's range."""
        return Span(self.offset(range_.start), self.offset(range_.end))

    def edits(self, edits: Iterable[Edit]) -> list[types.TextEdit]:
        """The client's form of edits."""
        return [types.TextEdit(self.range(edit.span), edit.content) for edit in edits]

    def diagnostic(self, uri: str, finding: Finding, related: bool, links: SourceLinks) -> types.Diagnostic:
        """The client's form of a finding; `related`: whether it shows related information."""
        report, rule = finding.report, finding.rule
        notes = [
            types.DiagnosticRelatedInformation(self.location(uri, note.span), note.message)
            for note in gathered(report.notes)
        ]
        frame = self.text.frames.of_report(report)
        if frame is not None:
            place = links.location(frame) or self.location(uri, report.span)
            notes.append(types.DiagnosticRelatedInformation(place, f"from {frame}"))
        return types.Diagnostic(
            range=self.range(report.span),
            message=report.message if related or frame is None else f"{report.message} (from {frame})",
            severity=SEVERITIES[finding.severity],
            code=rule.name,
            code_description=types.CodeDescription(rule_url(rule.name)),
            source="memlane",
            tags=[types.DiagnosticTag.Unnecessary] if rule.unnecessary else None,
            related_information=notes if related and notes else None,
        )

    def _has(self, position: types.Position) -> bool:
        return 0 <= position.line < self.text.line_count
