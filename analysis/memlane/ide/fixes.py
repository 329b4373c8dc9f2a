"""Code actions: the repairs that findings carry, one by one and all together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from memlane.findings import Applicability, Edit, Finding, Fix, Span


@dataclass(frozen=True, slots=True)
class Repair:
    """A fix and the finding it repairs."""

    finding: Finding
    fix: Fix


def repairs(findings: Iterable[Finding], span: Span) -> list[Repair]:
    """The repairs of those findings that `span` touches."""
    return [
        Repair(finding, finding.report.fix)
        for finding in findings
        if finding.report.fix is not None and _near(finding.report.span, span)
    ]


def all_safe(findings: Iterable[Finding]) -> tuple[Edit, ...]:
    """The edits of all safe fixes that do not get into each other's way; of two that do, the first finding's."""
    taken: list[Edit] = []
    for finding in findings:
        fix = finding.report.fix
        if fix is None or fix.applicability is not Applicability.SAFE:
            continue
        if not any(_collide(edit, other) for edit in fix.edits for other in taken):
            taken.extend(fix.edits)
    return tuple(sorted(taken, key=lambda edit: edit.span))


def _near(place: Span, span: Span) -> bool:
    return place.start <= span.end and span.start <= place.end


def _collide(one: Edit, other: Edit) -> bool:
    """Whether two edits change the same text; insertions at one place do, as their order would be a guess."""
    return one.span == other.span or (one.span.start < other.span.end and other.span.start < one.span.end)
