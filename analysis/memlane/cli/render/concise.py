"""`concise`: a line for each finding, in the form `file:line:column: ` that editors and grep know."""

from __future__ import annotations

from memlane.cli.check_result import CheckedFile, CheckOutcome
from memlane.cli.render.style import Style, visible
from memlane.findings import Finding


def render(outcome: CheckOutcome, style: Style) -> str:
    """The lines."""
    return "\n".join(_line(file, finding, style, outcome.fixes) for file, finding in outcome.findings())


def _line(file: CheckedFile, finding: Finding, style: Style, fixes: bool) -> str:
    line, column = file.text.position(finding.report.span.start)
    head = style.severity(finding.severity, f"{finding.severity.value}[{finding.rule.name}]:")
    place = f"{style.paint('bold', visible(file.name))}:{line + 1}:{column + 1}"
    frame = file.comes_from(finding)
    source = f" [from {visible(str(frame))}]" if frame is not None else ""
    return f"{place}: {head} {visible(finding.report.message)}{source}{fix(finding, fixes)}"


def fix(finding: Finding, fixes: bool) -> str:
    """What follows the message: ` [fix: Free %a after its last use]` where fixes are to be shown, and why none was made
    where they were looked for."""
    found = finding.report.fix if fixes else None
    shown = f" [fix: {visible(found.title)}]" if found is not None else ""
    return shown + unfixed(finding)


def unfixed(finding: Finding) -> str:
    """What follows the message of a finding that fixes have left: ` [not fixed: its fix is unsafe]`; else ""."""
    reason = finding.report.unfixed
    return f" [not fixed: {visible(reason)}]" if reason else ""
