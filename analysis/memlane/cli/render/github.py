"""`github`: workflow commands of GitHub Actions, which become annotations of the lines of a pull request."""

from __future__ import annotations

from memlane.cli.check_result import CheckedFile, CheckOutcome
from memlane.cli.render.records import location
from memlane.cli.render.style import Style, visible
from memlane.findings import Finding, Severity, gathered

COMMANDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "notice",
    Severity.HINT: "notice",
}


def render(outcome: CheckOutcome, style: Style) -> str:
    """A command for each finding."""
    return "\n".join(_command(file, finding) for file, finding in outcome.findings())


def _command(file: CheckedFile, finding: Finding) -> str:
    report = finding.report
    start, end = location(file.text, report.span.start), location(file.text, report.span.end)
    properties = {
        "title": f"memlane ({finding.rule.name})",
        "file": visible(file.name),
        "line": start["row"],
        "col": start["column"],
        "endLine": end["row"],
        "endColumn": end["column"],
    }
    shown = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    steps = [
        f"{location(file.text, note.span.start)['row']}: {visible(note.message)}" for note in gathered(report.notes)
    ]  # the annotation has one place: the others go into its text
    steps += [f"not fixed: {visible(report.unfixed)}"] if report.unfixed else []
    return f"::{COMMANDS[finding.severity]} {shown}::{_data(chr(10).join([visible(report.message), *steps]))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
