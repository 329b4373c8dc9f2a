"""`concise`: a line for each finding, in the form `file:line:column: ` that editors and grep know."""

from __future__ import annotations

from memlane.cli.outcome import Checked, Outcome
from memlane.cli.render.style import Style, visible
from memlane.findings import Finding


def render(outcome: Outcome, style: Style) -> str:
    """The lines."""
    return "\n".join(_line(file, finding, style) for file, finding in outcome.findings())


def _line(file: Checked, finding: Finding, style: Style) -> str:
    line, column = file.text.position(finding.report.span.start)
    head = style.severity(finding.severity, f"{finding.severity.value}[{finding.rule.name}]:")
    return (
        f"{style.paint('bold', visible(file.name))}:{line + 1}:{column + 1}: {head} {visible(finding.report.message)}"
    )
