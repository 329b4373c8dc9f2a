"""`gitlab`: the code quality report of GitLab (a subset of Code Climate's format)."""

from __future__ import annotations

from memlane.cli.check_result import CheckOutcome
from memlane.cli.render.concise import unfixed
from memlane.cli.render.fingerprint import fingerprints
from memlane.cli.render.records import SourceLocation, location
from memlane.cli.render.style import Style
from memlane.cli.terminal_output import json_text
from memlane.findings import Severity

SEVERITIES = {
    Severity.ERROR: "critical",
    Severity.WARNING: "major",
    Severity.INFORMATION: "minor",
    Severity.HINT: "info",
}


def render(outcome: CheckOutcome, style: Style) -> str:
    """One array."""
    issues = [
        {
            "check_name": finding.rule.name,
            "description": f"{finding.rule.name}: {finding.report.message}{unfixed(finding)}",
            "severity": SEVERITIES[finding.severity],
            "fingerprint": fingerprint,
            "location": {
                "path": file.name,
                "positions": {
                    "begin": _position(location(file.text, finding.report.span.start)),
                    "end": _position(location(file.text, finding.report.span.end)),
                },
            },
        }
        for file, finding, fingerprint in fingerprints(outcome)
    ]
    return json_text(issues, indent=2)


def _position(place: SourceLocation) -> dict[str, int]:
    return {"line": place["row"], "column": place["column"]}
