"""`rdjson`: the diagnostic format of reviewdog. Its columns count the bytes of UTF-8, from 1."""

from __future__ import annotations

from typing import Any

from memlane.cli.check_result import CheckedFile, CheckOutcome
from memlane.cli.render.concise import unfixed
from memlane.cli.render.style import Style
from memlane.cli.terminal_output import json_text
from memlane.doc_links import SITE, rule_url
from memlane.findings import Finding, Severity, Span
from memlane.text import Text

SEVERITIES = {
    Severity.ERROR: "ERROR",
    Severity.WARNING: "WARNING",
    Severity.INFORMATION: "INFO",
    Severity.HINT: "INFO",
}

Json = dict[str, Any]


def render(outcome: CheckOutcome, style: Style) -> str:
    """One result."""
    source = {"name": "memlane", "url": SITE}
    diagnostics = [_diagnostic(file, finding) for file, finding in outcome.findings()]
    return json_text({"source": source, "diagnostics": diagnostics}, indent=2)


def _diagnostic(file: CheckedFile, finding: Finding) -> Json:
    report = finding.report
    found: Json = {
        "message": report.message + unfixed(finding),
        "location": _location(file, report.span),
        "severity": SEVERITIES[finding.severity],
        "code": {"value": finding.rule.name, "url": rule_url(finding.rule.name)},
        "relatedLocations": [
            {"message": note.message, "location": _location(file, note.span)} for note in report.notes
        ],
    }
    if report.fix is not None and len(report.fix.edits) == 1:  # several suggestions would be alternatives
        (edit,) = report.fix.edits
        found["suggestions"] = [{"range": _range(file.text, edit.span), "text": edit.content}]
    return found


def _location(file: CheckedFile, span: Span) -> Json:
    return {"path": file.name, "range": _range(file.text, span)}


def _range(text: Text, span: Span) -> Json:
    return {"start": _position(text, span.start), "end": _position(text, span.end)}


def _position(text: Text, offset: int) -> Json:
    line, column = text.position(offset)
    return {"line": line + 1, "column": len(text.line(line)[:column].encode("utf-8", "replace")) + 1}
