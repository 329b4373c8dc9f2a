"""Code actions: the repairs of findings, one by one and all together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from memlane.config import Config
from memlane.findings import Edit, Finding, Fix, Rule, Span
from memlane.fixes import Refactoring, fix_all, repaired, silence, turn_off
from memlane.ide.locate import ops_in
from memlane.ide.snapshot import File
from memlane.line_diff import CommonLines
from memlane.suppressions import CommentedLine
from memlane.syntax.tree.tree import Op
from memlane.text import Text


@dataclass(frozen=True, slots=True)
class FindingRepair:
    """A fix and the finding it repairs."""

    finding: Finding
    fix: Fix


def repairs(file: File, span: Span) -> Iterator[FindingRepair]:
    """The repairs of the findings on the lines of `span`; and those that change what `span` touches, of other findings
    that name it: a deallocation may be at the wrong place where nothing is underlined."""
    own = set[Finding]()
    for finding in _touched(file, span):
        own.add(finding)
        fix = file.fix(finding)
        if fix is not None:
            yield FindingRepair(finding, fix)
    seen = set[tuple[Edit, ...]]()
    for finding in _naming(file, span):
        fix = file.fix(finding) if finding not in own else None
        if fix is not None and fix.edits not in seen and any(_changes(edit, span) for edit in fix.edits):
            seen.add(fix.edits)
            yield FindingRepair(finding, fix)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A finding of a kind that is repaired elsewhere, and why this one is not."""

    finding: Finding
    reason: str


def refusals(file: File, span: Span) -> Iterator[Refusal]:
    """The findings that `span` touches and that ought to have a repair, but have none, in source order."""
    for finding in _touched(file, span):
        reason = file.refusal(finding)
        if reason:
            yield Refusal(finding, reason)


def silences(file: File, span: Span) -> Iterator[FindingRepair]:
    """The comments that would silence the findings that `span` touches, each once, in source order."""
    lines: dict[int, CommentedLine] = {}
    seen = set[Fix]()
    for finding in _touched(file, span):
        fix = silence(file.text, finding, lines)
        if fix not in seen:
            seen.add(fix)
            yield FindingRepair(finding, fix)


def switches(file: File, span: Span) -> Iterator[FindingRepair]:
    """What turns the rules of the findings on the lines of `span` off in the configuration file, each once."""
    seen = set[str]()
    for finding in _touched(file, span):
        if finding.rule.name not in seen:
            seen.add(finding.rule.name)
            yield FindingRepair(finding, turn_off(file.config, finding.rule))


def rules_at(file: File, span: Span) -> Iterator[tuple[Rule, int]]:
    """The rules of the findings on the lines of `span`, each once, with how many findings of it the file has."""
    counts = Counter(finding.rule.name for finding in file.checked.findings)
    rules = {finding.rule.name: finding.rule for finding in _touched(file, span)}
    return ((rule, counts[name]) for name, rule in rules.items())


def _touched(file: File, span: Span) -> Iterator[Finding]:
    """The findings that `span` touches, in source order, and then the others of the statements on its lines: of a
    statement the name is underlined, while the cursor may be anywhere in it."""
    lines = _statements(file, span)
    near = [one for one in file.checked.findings if _meet(one.report.span, lines)]
    yield from (one for one in near if _meet(one.report.span, span))
    yield from (one for one in near if not _meet(one.report.span, span))


def _whole_lines(file: File, span: Span) -> Span:
    """All of the lines of `span`."""
    source = file.text.source
    start, end = source.rfind("\n", 0, span.start) + 1, source.find("\n", span.end)
    return Span(start, len(source) if end < 0 else end)


def _statements(file: File, span: Span) -> Span:
    """The same with all other lines of the statements on them; what is in their regions are statements of its own."""
    lines = _whole_lines(file, span)
    heads = (_head(op) for op in ops_in(file.near(lines), lines))
    met = [head for head in heads if _meet(head, lines)]
    return Span(min([lines.start, *(one.start for one in met)]), max([lines.end, *(one.end for one in met)]))


def _head(op: Op) -> Span:
    """The text of an operation before its regions."""
    return Span(op.span.start, op.regions[0].blocks[0].span.start if op.regions else op.span.end)


def refactorings(file: File, span: Span) -> list[Refactoring]:
    """What can be done to the buffers that the statements on the lines of `span` allocate or free, or why not."""
    lines = _whole_lines(file, span)
    near = (file.models.of(op.name) for op in ops_in(file.near(lines), lines))
    if not any(model is not None and (model.alloc or model.free) for model in near):
        return []  # without what takes the whole file to find out
    return file.refactorings([op for op in ops_in(file.tree, lines) if _meet(_head(op), lines)])


def _meet(one: Span, other: Span) -> bool:
    """Whether two places have an offset in common, their ends included."""
    return one.start <= other.end and other.start <= one.end


def _naming(file: File, span: Span) -> Iterator[Finding]:
    """The findings of which a note is about the line of `span`."""
    lines = _whole_lines(file, span)
    for finding in file.checked.findings:
        if any(lines.start <= note.span.start <= lines.end for note in finding.report.notes):
            yield finding


def _changes(edit: Edit, span: Span) -> bool:
    """Whether an edit takes away something there."""
    return edit.span.start <= span.end and span.start < edit.span.end


@dataclass(frozen=True, slots=True)
class FixAll:
    """All safe fixes of a text, or those of one `rule`, as work that can be given to another process."""

    source: str
    rule: str = ""

    def run(self, config: Config) -> str:
        """The text after them."""
        if not self.rule:
            return fix_all(self.source, config)
        return repaired(self.source, config, wanted=self._wanted).checked.text.source

    def _wanted(self, finding: Finding) -> bool:
        return finding.rule.name == self.rule


def differences(before: Text, after: str) -> list[Edit]:
    """Edits of whole lines that make `after` of `before`, in text order, not overlapping."""
    old, new = _lines(before), _lines(Text(after))
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    return [
        Edit(Span(starts[first], starts[last]), "".join(new[start:stop]))
        for kind, first, last, start, stop in CommonLines(old, new).get_opcodes()
        if kind != "equal"
    ]


def _lines(text: Text) -> list[str]:
    """The lines with what ends them."""
    starts = [text.offset(line, 0) for line in range(text.line_count)]
    return [text.source[start:stop] for start, stop in zip(starts, [*starts[1:], len(text.source)], strict=True)]
