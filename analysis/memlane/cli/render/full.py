"""`full`: for people at a terminal. Each finding with the source it speaks of and the path that leads there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from memlane.cli.outcome import Checked, Outcome
from memlane.cli.render.excerpt import Mark, excerpt, gutter
from memlane.cli.render.style import Style, visible
from memlane.findings import Finding, Note, Report
from memlane.links import rule_url


def render(outcome: Outcome, style: Style) -> str:
    """All findings, an empty line after each."""
    return "".join("\n".join(_finding(file, finding, style)) + "\n\n" for file, finding in outcome.findings())


def _finding(file: Checked, finding: Finding, style: Style) -> Iterator[str]:
    report, text = finding.report, file.text
    marks = [Mark(report.span, "", finding.severity), *_steps(report)]
    line, column = text.position(report.span.start)
    blanks = " " * gutter(text, marks)
    head = style.severity(finding.severity, f"{finding.severity.value}[{finding.rule.name}]")
    yield f"{head}{style.paint('bold', f': {visible(report.message)}')}"
    where = visible(f" in @{finding.function}") if finding.function is not None else ""
    yield f"{blanks}{style.paint('rail', '-->')} {visible(file.name)}:{line + 1}:{column + 1}{where}"
    yield from excerpt(text, marks, style)
    if report.fix is not None:
        yield f"{blanks} {style.paint('rail', '=')} {style.paint('bold', 'fix')}: {visible(report.fix.title)}"
        for line in (line for added in report.fix.additions for line in added.content.split("\n") if line):
            yield f"{blanks} {style.paint('rail', '|')} {visible(line)}"
    if report.unfixed:
        yield f"{blanks} {style.paint('rail', '=')} {style.paint('bold', 'not fixed')}: {visible(report.unfixed)}"
    yield f"{blanks} {style.paint('rail', '=')} {style.paint('bold', 'help')}: {rule_url(finding.rule.name)}"


def _steps(report: Report) -> list[Mark]:
    """The notes as marks; numbered where their order is not plainly the order of the text, as around a loop."""
    starts = [note.span.start for note in report.notes]
    if starts == sorted(set(starts)):
        return [Mark(note.span, note.message) for note in report.notes]
    return list(_numbered(report.notes))


def _numbered(notes: Sequence[Note]) -> Iterator[Mark]:
    """Notes with their numbers; those of a step that is made again and again become one."""
    number = 1
    for note, same in groupby(notes):
        last = number + sum(1 for _ in same) - 1
        yield Mark(note.span, f"{number}. {note.message}" if last == number else f"{number}-{last}. {note.message}")
        number = last + 1
