"""Hints at the end of lines: how large a buffer is, how long it lives and whose it is, how late it is freed.

What is wrong is said by findings; hints repeat it in two words where the buffer begins, and say for the others what
can be said. Nothing stands where there is nothing to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from memlane.dialects import select
from memlane.findings import Certainty, Finding, Span
from memlane.flow import size_of
from memlane.ide.lanes import FunctionLanes
from memlane.ide.lenses import peak_words
from memlane.ide.locate import ancestors, ops_in, touches
from memlane.ide.ownership import Received, received
from memlane.ide.paths import paths_of
from memlane.snapshot import File
from memlane.syntax.tree import Op, Value
from memlane.words import words

LOST = {"leak": "never freed", "possible-leak": "not freed on every path"}
"""What the hint of an allocation says, by the rule that reports it."""


class Kind(Enum):
    """Kinds of hints, each with a switch of its own."""

    SIZE = "size"
    LIFETIME = "lifetime"
    LATE = "late"
    OWNERSHIP = "ownership"
    PEAK = "peak"


ALL = frozenset(Kind)


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint.

    Args:
        offset: where it stands: the end of a line.
        label: what it says.
        finding: what it repeats; its message is more of it, and its fix is what accepting the hint does.
        tooltip: more of it, where no finding says it.
        target: what it speaks of.
    """

    offset: int
    label: str
    finding: Finding | None = None
    tooltip: str = ""
    target: Span | None = None


def hints(
    file: File,
    span: Span,
    kinds: frozenset[Kind] = ALL,
    measured: Iterable[FunctionLanes] = (),
    wait: bool = True,
) -> list[Hint]:
    """The hints of the lines that `span` touches, in text order.

    Args:
        measured: functions whose peak is known.
        wait: for findings where they are not known; else those that are known so far are told.
    """
    found: list[Hint] = []
    findings = file.checked.findings if wait else file.findings_so_far
    by_place = {finding.report.span: finding for finding in findings if _is_ours(finding)}
    for op in ops_in(file.near(span), span):
        if touches(span, op.name_span.start):
            found.extend(_of_op(file, op, by_place.get(op.name_span), kinds))
    if Kind.OWNERSHIP in kinds:
        found.extend(_ownership(file, span))
    if Kind.PEAK in kinds:
        found.extend(hint for function in measured for hint in _peak(file, function) if touches(span, hint.offset))
    return sorted(found, key=lambda hint: hint.offset)


def _peak(file: File, function: FunctionLanes) -> Iterator[Hint]:
    """What a function needs, at the end of its first line."""
    if function.buffers or function.peak.number != 0:
        place = function.steps[function.peak_step].span if function.peak_step is not None else None
        where = f"The most that lives at once, in line {_line(file, place)}." if place else ""
        more = f" {function.note.capitalize()}." if function.note else ""
        end = file.text.line_end(file.text.position(function.name_span.start).line)
        yield Hint(end, peak_words(function), tooltip=where + more, target=place)


def _ownership(file: File, span: Span) -> Iterator[Hint]:
    """Whose the buffers are that names receive."""
    linked = file.linked(span)
    for op in ops_in(linked.tree, span):
        around = (op, *ancestors(op))
        flow = next((flow for one in around if (flow := linked.flow((one,), op.span.start)) is not None), None)
        program = linked.program(op.span.start)
        if flow is None or program is None:
            continue
        for one in received(program, flow, op):
            end = file.text.line_end(file.text.position(one.value.span.start).line)
            if touches(span, end):
                several = one.value.op is None or len(op.results) > 1
                label = f"{one.value.name} {one.words}" if several else one.words
                yield Hint(end, label, tooltip=_whose(one), target=one.sources[0].span if one.sources else None)


def _whose(one: Received) -> str:
    if one.words.startswith("owned"):
        return f"{one.value.name} is {one.words}: somebody has to free it."
    if one.words == "borrowed":
        return f"{one.value.name} is borrowed: nobody here frees it."
    return f"{one.value.name} is another name of the memory of {', '.join(value.name for value in one.sources)}."


def _is_ours(finding: Finding) -> bool:
    return finding.rule.name in LOST or finding.report.late is not None


def _of_op(file: File, op: Op, finding: Finding | None, kinds: frozenset[Kind]) -> Iterator[Hint]:
    end = file.text.line_end(file.text.position(op.name_span.end).line)
    model = file.models.of(op.name)
    for alloc in model.alloc if model else ():
        if alloc.result < len(op.results):
            value = op.results[alloc.result]
            said = list(_allocation(file, value, finding, kinds))
            frees = sorted(_frees(file, value))
            if said:
                tooltip = f"{value.name}: a buffer on the {alloc.resource}"
                yield Hint(end, ", ".join(said), finding, tooltip, frees[0] if len(frees) == 1 else None)
    late = finding.report.late if finding else None
    if late is not None and finding is not None and Kind.LATE in kinds:
        ops = f"{late.operations} op{'s' if late.operations != 1 else ''}"
        since = f"the last use (L{_line(file, late.after)})" if late.after else "its block begins"
        yield Hint(end, f"{ops} after {since}", finding, target=late.after)


def _allocation(file: File, value: Value, finding: Finding | None, kinds: frozenset[Kind]) -> Iterator[str]:
    size = size_of(value)
    if Kind.SIZE in kinds and size is not None and "?" not in size.dimensions:
        yield words(size.bytes) if size.bytes is not None else f"{size} B"
    if Kind.LIFETIME not in kinds:
        return
    if finding is not None and finding.rule.name in LOST:
        paths = paths_of(file, value) if finding.report.certainty is Certainty.SOME else None
        counted = paths is not None and 0 < paths.freed < paths.all
        yield f"freed on {paths.freed} of {paths.all} paths" if paths and counted else LOST[finding.rule.name]
    else:
        frees = sorted(_frees(file, value))
        if len(frees) == 1:
            yield f"lives to L{_line(file, frees[0])}"


def _frees(file: File, value: Value) -> Iterator[Span]:
    """The ops that free the buffer by this name."""
    for use in value.uses:
        model = file.models.of(use.op.name)
        if model is not None and any(use in select(use.op, free.operands, model) for free in model.free):
            yield use.op.name_span


def _line(file: File, span: Span) -> int:
    return file.text.position(span.start).line + 1
