"""`grouped`: the findings of each file below its name."""

from __future__ import annotations

from collections.abc import Iterator

from memlane.cli.check_result import CheckedFile, CheckOutcome
from memlane.cli.render.concise import fix
from memlane.cli.render.style import Style, visible


def render(outcome: CheckOutcome, style: Style) -> str:
    """A block for each file that has findings, an empty line after each."""
    return "".join("\n".join(_block(file, style, outcome.fixes)) + "\n\n" for file in outcome.files if file.findings)


def _block(file: CheckedFile, style: Style, fixes: bool) -> Iterator[str]:
    places = [file.text.position(finding.report.span.start) for finding in file.findings]
    names = [f"{line + 1}:{column + 1}" for line, column in places]
    room = max(map(len, names))
    yield style.paint("bold", f"{visible(file.name)}:")
    for name, finding in zip(names, file.findings, strict=True):
        head = style.severity(finding.severity, f"{finding.severity.value}[{finding.rule.name}]:")
        yield f"  {name:<{room}} {head} {visible(finding.report.message)}{fix(finding, fixes)}"
