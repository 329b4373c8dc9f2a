"""`full`: for people at a terminal. Each finding with the source it speaks of and the path that leads there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from memlane.cli.check_result import CheckedFile, CheckOutcome
from memlane.cli.render.limits import MAX_IN_FULL, MAX_SHOWN
from memlane.cli.render.source_excerpt import Mark, excerpt, gutter
from memlane.cli.render.style import Style, visible
from memlane.doc_links import rule_url
from memlane.findings import Finding, Note, Report
from memlane.format import words

_Group = tuple[str, str | None]
"""A rule, and the function where it found something; None: outside of any."""


def render(outcome: CheckOutcome, style: Style) -> str:
    """All findings, an empty line after each; where there are many of one rule in a function, the first, and how many
    there are besides."""
    blocks = (block for file in outcome.files for block in _blocks(file, outcome.grouped, style))
    return "".join("\n".join(lines) + "\n\n" for lines in blocks)


def _blocks(file: CheckedFile, grouped: bool, style: Style) -> Iterator[Iterable[str]]:
    groups: dict[_Group, list[Finding]] = {}
    for finding in file.findings if grouped else ():
        if finding.function is not None:
            groups.setdefault(_group(finding), []).append(finding)
    seen = Counter[_Group]()
    for finding in file.findings:
        group = groups.get(_group(finding), [])
        number = seen[_group(finding)]
        seen[_group(finding)] += 1
        if len(group) <= MAX_SHOWN or number < MAX_IN_FULL:
            yield _finding(file, finding, style)
        elif number == MAX_IN_FULL:
            yield [_others(group[MAX_IN_FULL:], style)]


def _group(finding: Finding) -> _Group:
    return finding.rule.name, finding.function


def _others(findings: Sequence[Finding], style: Style) -> str:
    """`39 more late-free in @main, 2.44 MiB in all; --no-group shows them`."""
    first = findings[0]
    sizes = {(buffer.name, buffer.span): buffer.size for one in findings if (buffer := one.report.buffer) is not None}
    total = sum(size for size in sizes.values() if size is not None)
    unknown = list(sizes.values()).count(None)
    parts = [f", {words(total)} in all"] if total else []
    parts += [f"{' and' if total else ','} {unknown} of unknown size"] if unknown else []
    what = style.severity(first.severity, f"{len(findings)} more {first.rule.name}")
    return f"{what} in @{visible(first.function or '')}{''.join(parts)}; --no-group shows them"


def _finding(file: CheckedFile, finding: Finding, style: Style) -> Iterator[str]:
    report, text = finding.report, file.text
    marks = [Mark(report.span, "", finding.severity), *_steps(report)]
    line, column = text.position(report.span.start)
    blanks = " " * gutter(text, marks)
    head = style.severity(finding.severity, f"{finding.severity.value}[{finding.rule.name}]")
    yield f"{head}{style.paint('bold', f': {visible(report.message)}')}"
    where = visible(f" in @{finding.function}") if finding.function is not None else ""
    frame = file.comes_from(finding)
    source = f", from {visible(str(frame))}" if frame is not None else ""
    yield f"{blanks}{style.paint('rail', '-->')} {visible(file.name)}:{line + 1}:{column + 1}{where}{source}"
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
