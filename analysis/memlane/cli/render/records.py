"""`json`: findings as records, for programs. The shape is fixed (docs/reference/json.md); absent keys are null.

Rows and columns are 1-based, columns count code points, ends are exclusive.
"""

from __future__ import annotations

from typing import TypedDict

from memlane.cli.check_result import CheckedFile, CheckOutcome
from memlane.cli.render.style import Style
from memlane.cli.terminal_output import json_text
from memlane.doc_links import rule_url
from memlane.findings import Buffer, Finding, Fix, Late, Note, Span
from memlane.text import Text


class SourceLocation(TypedDict):
    """A place."""

    row: int
    column: int


class SourceRecord(TypedDict):
    """The place in another file that a location in the text names."""

    filename: str
    location: SourceLocation


class BufferRecord(TypedDict):
    """The buffer; `bytes_expr` where the size is dynamic, else null."""

    name: str
    location: SourceLocation
    bytes: int | None
    bytes_expr: str | None


class NoteRecord(TypedDict):
    """A step of the path."""

    message: str
    filename: str
    location: SourceLocation
    end_location: SourceLocation


class LateRecord(TypedDict):
    """How late; `after` is null where the deallocation could open its block."""

    after: SourceLocation | None
    operations: int
    bytes: int | None


class EditRecord(TypedDict):
    """A replacement."""

    location: SourceLocation
    end_location: SourceLocation
    content: str


class FixRecord(TypedDict):
    """A repair."""

    message: str
    applicability: str
    edits: list[EditRecord]


class Record(TypedDict):
    """A finding."""

    rule: str
    severity: str
    filename: str
    location: SourceLocation
    end_location: SourceLocation
    message: str
    function: str | None
    certainty: str
    source: SourceRecord | None
    buffer: BufferRecord | None
    notes: list[NoteRecord]
    late: LateRecord | None
    fix: FixRecord | None
    fix_reason: str | None
    url: str


def render(outcome: CheckOutcome, style: Style) -> str:
    """One array. Nothing found is `[]`."""
    return json_text(records(outcome), indent=2)


def records(outcome: CheckOutcome) -> list[Record]:
    """All findings."""
    return [record(file, finding) for file, finding in outcome.findings()]


def record(file: CheckedFile, finding: Finding) -> Record:
    """One finding."""
    text, report, frame = file.text, finding.report, file.comes_from(finding)
    return {
        "rule": finding.rule.name,
        "severity": finding.severity.value,
        "filename": file.name,
        "location": location(text, report.span.start),
        "end_location": location(text, report.span.end),
        "message": report.message,
        "function": finding.function,
        "certainty": report.certainty.value,
        "source": frame and {"filename": frame.path, "location": {"row": frame.line, "column": frame.column}},
        "buffer": report.buffer and _buffer(text, report.buffer),
        "notes": [_note(file, note) for note in report.notes],
        "late": report.late and _late(text, report.late, report.buffer),
        "fix": report.fix and _fix(text, report.fix),
        "fix_reason": report.unfixed or None,
        "url": rule_url(finding.rule.name),
    }


def location(text: Text, offset: int) -> SourceLocation:
    """The 1-based place of an offset."""
    line, column = text.position(offset)
    return {"row": line + 1, "column": column + 1}


def _buffer(text: Text, buffer: Buffer) -> BufferRecord:
    return {
        "name": buffer.name,
        "location": location(text, buffer.span.start),
        "bytes": buffer.size,
        "bytes_expr": buffer.expression if buffer.size is None else None,
    }


def _note(file: CheckedFile, note: Note) -> NoteRecord:
    return {
        "message": note.message,
        "filename": file.name,
        "location": location(file.text, note.span.start),
        "end_location": location(file.text, note.span.end),
    }


def _late(text: Text, late: Late, buffer: Buffer | None) -> LateRecord:
    return {
        "after": _start(text, late.after),
        "operations": late.operations,
        "bytes": buffer.size if buffer is not None else None,
    }


def _fix(text: Text, fix: Fix) -> FixRecord:
    return {
        "message": fix.title,
        "applicability": fix.applicability.value,
        "edits": [
            {
                "location": location(text, edit.span.start),
                "end_location": location(text, edit.span.end),
                "content": edit.content,
            }
            for edit in fix.edits
        ],
    }


def _start(text: Text, span: Span | None) -> SourceLocation | None:
    return None if span is None else location(text, span.start)
