"""Findings to plain JSON values and back, nothing lost: how results travel into the cache and out of it."""

from __future__ import annotations

from typing import Any

from memlane.findings import (
    Applicability,
    Buffer,
    Certainty,
    Edit,
    Finding,
    Fix,
    Late,
    Note,
    Report,
    Rule,
    Severity,
    Span,
    Suppressed,
)

Json = Any
Packed = dict[str, Json]


def pack(findings: tuple[Finding, ...], suppressed: tuple[Suppressed, ...]) -> Packed:
    """What `unpack` takes. Rules are written once."""
    every = [*findings, *(silent.finding for silent in suppressed)]
    rules = {finding.rule.name: finding.rule for finding in every}
    return {
        "rules": [[r.name, r.severity.value, r.summary, r.unnecessary, r.once] for r in rules.values()],
        "findings": [_finding(finding) for finding in findings],
        "suppressed": [[_finding(silent.finding), silent.reason] for silent in suppressed],
    }


def unpack(packed: Packed) -> tuple[tuple[Finding, ...], tuple[Suppressed, ...]]:
    """What was packed. Raises KeyError, TypeError or ValueError where it was not."""
    rules = {
        name: Rule(name, Severity(severity), summary, unnecessary, once)
        for name, severity, summary, unnecessary, once in packed["rules"]
    }
    findings = tuple(_to_finding(one, rules) for one in packed["findings"])
    return findings, tuple(Suppressed(_to_finding(one, rules), reason) for one, reason in packed["suppressed"])


def _finding(finding: Finding) -> Json:
    report = finding.report
    buffer, late, fix = report.buffer, report.late, report.fix
    return [
        finding.rule.name,
        finding.severity.value,
        finding.function,
        report.message,
        report.span,
        report.certainty.value,
        buffer and [buffer.name, buffer.span, buffer.size, buffer.expression],
        [[note.message, note.span] for note in report.notes],
        late and [late.after, late.operations],
        fix and [fix.message, [[edit.span, edit.content] for edit in fix.edits], fix.applicability.value],
        report.severity and report.severity.value,
    ]


def _to_finding(packed: Json, rules: dict[str, Rule]) -> Finding:
    rule, severity, function, message, span, certainty, buffer, notes, late, fix, own = packed
    report = Report(
        message,
        Span(*span),
        Certainty(certainty),
        buffer and Buffer(buffer[0], Span(*buffer[1]), buffer[2], buffer[3]),
        tuple(Note(text, Span(*place)) for text, place in notes),
        late and Late(late[0] and Span(*late[0]), late[1]),
        fix and Fix(fix[0], tuple(Edit(Span(*place), text) for place, text in fix[1]), Applicability(fix[2])),
        own and Severity(own),
    )
    return Finding(rules[rule], Severity(severity), report, function)
