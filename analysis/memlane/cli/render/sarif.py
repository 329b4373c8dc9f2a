"""`sarif`: SARIF 2.1.0 (OASIS), for code scanning: rules with their pages, fixes, fingerprints, paths as code flows."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from memlane import __version__
from memlane.cli.check_result import CheckedFile, CheckOutcome, Failure
from memlane.cli.render.fingerprint import fingerprints, suppressed_fingerprints
from memlane.cli.render.records import location
from memlane.cli.render.style import Style
from memlane.cli.terminal_output import json_text
from memlane.doc_links import SITE, rule_url
from memlane.findings import Finding, Fix, Note, Severity, Span, Suppressed
from memlane.rules import modules
from memlane.text import Text

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "note",
    Severity.HINT: "note",
    Severity.OFF: "none",
}

Json = dict[str, Any]


def render(outcome: CheckOutcome, style: Style) -> str:
    """One log with one run."""
    run: Json = {
        "tool": {
            "driver": {
                "name": "Memlane",
                "informationUri": SITE,
                "semanticVersion": __version__,
                "rules": [_rule(name) for name in modules()],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not outcome.failures,
                "toolExecutionNotifications": [_failure(failure) for failure in outcome.failures],
            }
        ],
        "results": [
            *(_result(file, finding, mark) for file, finding, mark in fingerprints(outcome)),
            *(_suppressed(file, silent, mark) for file, silent, mark in suppressed_fingerprints(outcome)),
        ],
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _rule(name: str) -> Json:
    module = modules()[name]
    page = inspect.cleandoc(module.__doc__ or "")
    return {
        "id": name,
        "shortDescription": {"text": module.RULE.summary},
        "fullDescription": {"text": page.partition("\n")[0]},
        "help": {"text": page, "markdown": page},
        "helpUri": rule_url(name),
        "defaultConfiguration": {
            "enabled": module.RULE.severity is not Severity.OFF,
            "level": LEVELS[module.RULE.severity],
        },
    }


def _failure(failure: Failure) -> Json:
    place = {"physicalLocation": {"artifactLocation": _artifact(failure.name)}}
    return {"level": "error", "message": {"text": f"{failure.name}: {failure.message}"}, "locations": [place]}


def _result(file: CheckedFile, finding: Finding, fingerprint: str) -> Json:
    report = finding.report
    place: Json = {"physicalLocation": _physical(file, report.span)}
    if finding.function is not None:
        place["logicalLocations"] = [{"name": finding.function, "kind": "function"}]
    result: Json = {
        "ruleId": finding.rule.name,
        "ruleIndex": list(modules()).index(finding.rule.name),
        "level": LEVELS[finding.severity],
        "message": {"text": report.message},
        "locations": [place],
        "partialFingerprints": {"memlane/v1": fingerprint},
        "properties": {"certainty": report.certainty.value},
    }
    if report.unfixed:
        result["properties"]["fixReason"] = report.unfixed
    if report.notes:
        result["relatedLocations"] = [_step(file, note, number) for number, note in enumerate(report.notes, 1)]
        result["codeFlows"] = [{"threadFlows": [{"locations": _flow(file, finding)}]}]
    if report.fix is not None and report.fix.edits:  # what is added to other files has no region to replace
        result["fixes"] = [_fix(file, report.fix)]
    return result


def _suppressed(file: CheckedFile, silent: Suppressed, mark: str) -> Json:
    """A finding that a comment silences is in the output all the same: the format has a place for it."""
    reason = {"justification": silent.reason} if silent.reason else {}
    return {**_result(file, silent.finding, mark), "suppressions": [{"kind": "inSource", **reason}]}


def _flow(file: CheckedFile, finding: Finding) -> list[Json]:
    """The path in the order in which it is walked: what a finding at an allocation leads to, or what leads to it."""
    report = finding.report
    here = Note(report.message, report.span)
    steps: Sequence[Note] = (here, *report.notes) if _starts_the_path(file, finding) else (*report.notes, here)
    return [
        {"location": _step(file, note), "executionOrder": number, "importance": "essential"}
        for number, note in enumerate(steps, 1)
    ]


def _starts_the_path(file: CheckedFile, finding: Finding) -> bool:
    """Whether the finding stands where its buffer comes to be, as a leak does."""
    report = finding.report
    if report.buffer is None:
        return False
    between = file.text.source[report.buffer.span.end : report.span.start]
    return report.buffer.span.start < report.span.start and "=" in between and "\n" not in between


def _step(file: CheckedFile, note: Note, number: int | None = None) -> Json:
    place: Json = {"message": {"text": note.message}, "physicalLocation": _physical(file, note.span)}
    return place if number is None else {"id": number, **place}


def _physical(file: CheckedFile, span: Span) -> Json:
    return {"artifactLocation": _artifact(file.name), "region": _region(file.text, span)}


def _region(text: Text, span: Span) -> Json:
    start, end = location(text, span.start), location(text, span.end)
    return {
        "startLine": start["row"],
        "startColumn": start["column"],
        "endLine": end["row"],
        "endColumn": end["column"],
    }


def _artifact(name: str) -> Json:
    path = Path(name)
    return {"uri": path.as_uri() if path.is_absolute() else quote(path.as_posix(), errors="surrogateescape")}


def _fix(file: CheckedFile, fix: Fix) -> Json:
    replacements = [
        {"deletedRegion": _region(file.text, edit.span), "insertedContent": {"text": edit.content}}
        for edit in fix.edits
    ]
    change = {"artifactLocation": _artifact(file.name), "replacements": replacements}
    return {"description": {"text": fix.title}, "artifactChanges": [change]}
