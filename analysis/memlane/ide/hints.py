"""Hints at the end of lines: how large a buffer is, how long it lives and whose it is, how late it is freed.

What is wrong is said by findings; hints repeat it in two words where the buffer begins, and say for the others what
can be said. Nothing stands where there is nothing to say.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from memlane.findings import Certainty, Finding, Span
from memlane.format import on
from memlane.ide.hint_cache import Drafts, Made, back, drafts, of_ops, undrafted
from memlane.ide.lanes import FunctionLanes
from memlane.ide.lenses import peak_words
from memlane.ide.limits import MAX_PREPARED_TEXT
from memlane.ide.locate import ops_in, touches
from memlane.ide.snapshot import File
from memlane.syntax.editing.piece import Sort

LOST = {"leak": "never freed", "possible-leak": "not freed on every path"}
"""What the hint of an allocation says, by the rule that reports it."""


class HintKind(Enum):
    """Kinds of hints, each with a switch of its own."""

    SIZE = "size"
    LIFETIME = "lifetime"
    LATE = "late"
    OWNERSHIP = "ownership"
    PEAK = "peak"


ALL = frozenset(HintKind)


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
    kinds: frozenset[HintKind] = ALL,
    measured: Iterable[FunctionLanes] = (),
    wait: bool = True,
) -> list[Hint]:
    """The hints of the lines that `span` touches, in text order.

    Args:
        measured: functions whose peak is known.
        wait: for findings where they are not known; else only those known so far are used.
    """
    findings = file.parts.near([span]) if wait else file.findings_so_far
    by_place = {finding.report.span: finding for finding in findings if _is_ours(finding)}
    said = _said(file, span)
    found = _of_ops(file, said, span, by_place, kinds)
    if HintKind.OWNERSHIP in kinds:
        found.extend(_ownership(file, said, span))
    if HintKind.PEAK in kinds:
        found.extend(hint for function in measured for hint in _peak(file, function) if touches(span, hint.offset))
    return sorted(found, key=lambda hint: hint.offset)


def unprepared(file: File) -> list[int]:
    """The functions, by the numbers of their pieces, for which `prepare` has something to do; what is in view, or next
    to it, comes first."""
    starts, pieces, seen = file.document.starts, file.document.pieces, file.view.span
    place = bisect_right(starts, seen.start) - 1 if seen is not None else 0
    small = [number for number in undrafted(file) if pieces[number].size <= MAX_PREPARED_TEXT]
    return sorted(small, key=lambda number: abs(number - place))


def prepare(file: File, number: int) -> None:
    """Compute the hints of one function, for later requests. Its findings are known.

    Nothing that is built for it is kept: `file` is not shared (`File.apart`).
    """
    start = file.document.starts[number]
    try:
        hints(file, Span(start + 1, start + file.document.pieces[number].size - 1))
    finally:
        file.let_go()


def _said(file: File, span: Span) -> list[tuple[int, Drafts]]:
    """What is to be said of what `span` touches, and where it counts from."""
    known = drafts(file, sorted(file.touched(span)))
    if known is None:
        linked = file.linked(span)
        ops = list(ops_in(linked.tree, span))
        return [(0, of_ops(file, ops, linked.program(ops[0].span.start) if ops else None))]
    return [(0, _outside(file, span)), *((file.document.starts[number], one) for number, one in sorted(known.items()))]


def _outside(file: File, span: Span) -> Drafts:
    """What is to be said of what `span` touches outside functions; mostly there is nothing, and nothing is built."""
    starts, pieces = file.document.starts, file.document.pieces
    touched = pieces[max(0, bisect_left(starts, span.start) - 1) : bisect_right(starts, span.end)]
    statements = any(piece.sort == Sort.GLUE for piece in touched)
    return of_ops(file, list(ops_in(file.near(None), span)) if statements else (), None)


def _peak(file: File, function: FunctionLanes) -> Iterator[Hint]:
    """What a function needs, at the end of its first line."""
    if function.buffers or function.peak.number != 0:
        place = function.steps[function.peak_step].span if function.peak_step is not None else None
        where = f"Peak memory, in line {_line(file, place)}." if place else ""
        more = f" {function.note.capitalize()}." if function.note else ""
        end = file.text.line_end(file.text.position(function.name_span.start).line)
        yield Hint(end, peak_words(function), tooltip=where + more, target=place)


def _ownership(file: File, said: Iterable[tuple[int, Drafts]], span: Span) -> Iterator[Hint]:
    """Whose the buffers are that names receive."""
    given = [(start, one) for start, drafted in said for one in drafted.given]
    for start, one in sorted(given, key=lambda pair: pair[0] + pair[1].op.start):
        if start + one.op.start <= span.end and span.start <= start + one.op.end:
            end = file.text.line_end(file.text.position(start + one.place).line)
            if touches(span, end):
                target = back(one.target, -start) if one.target is not None else None
                yield Hint(end, one.label, tooltip=one.tooltip, target=target)


def _is_ours(finding: Finding) -> bool:
    return finding.rule.name in LOST or finding.report.late is not None


def _of_ops(
    file: File,
    said: Sequence[tuple[int, Drafts]],
    span: Span,
    by_place: Mapping[Span, Finding],
    kinds: frozenset[HintKind],
) -> list[Hint]:
    """Hints of the ops whose names `span` touches.

    Args:
        said: first of what stands outside functions, then of functions in text order.
        by_place: findings by the name of an op.
    """
    found: list[tuple[int, list[Hint]]] = []
    for start, drafted in said:
        for made in drafted.made:
            name = back(made.op, -start)
            if touches(span, name.start):
                found.append((name.start, [*_allocated(file, start, drafted, made, by_place.get(name), kinds)]))
    starts = [start for start, _ in said]
    for name, finding in by_place.items() if HintKind.LATE in kinds else ():
        owner = bisect_right(starts, name.start)
        near = (said[0], said[owner - 1]) if owner > 1 else said[:owner]
        if touches(span, name.start) and any(name.start - start in drafted.names for start, drafted in near):
            found.append((name.start, [*_late(file, finding)]))
    return [hint for _, those in sorted(found, key=lambda pair: pair[0]) for hint in those]


def _late(file: File, finding: Finding) -> Iterator[Hint]:
    late = finding.report.late
    if late is not None:
        ops = f"{late.operations} op{'s' if late.operations != 1 else ''}"
        since = f"the last use (L{_line(file, late.after)})" if late.after else "its block begins"
        end = file.text.line_end(file.text.position(finding.report.span.end).line)
        yield Hint(end, f"{ops} after {since}", finding, target=late.after)


def _allocated(
    file: File, start: int, drafted: Drafts, made: Made, finding: Finding | None, kinds: frozenset[HintKind]
) -> Iterator[Hint]:
    """The hint of a buffer that is made in a function, or elsewhere; all its places count from `start`."""
    frees = [back(free, -start) for free in made.frees]
    said = [made.size] if made.size is not None and HintKind.SIZE in kinds else []
    if HintKind.LIFETIME in kinds:
        if finding is not None and finding.rule.name in LOST:
            paths = drafted.paths_of(file, start, made) if finding.report.certainty is Certainty.SOME else None
            counted = paths is not None and 0 < paths.freed < paths.all
            lost = LOST[finding.rule.name]
            said.append(f"freed on {paths.freed} of {paths.all} paths" if paths and counted else lost)
        elif len(frees) == 1:
            said.append(f"lives to L{_line(file, frees[0])}")
    if said:
        end = file.text.line_end(file.text.position(start + made.op.end).line)
        tooltip = f"{made.name}: a buffer {on(made.resource)}" if made.name else f"A buffer {on(made.resource)}"
        yield Hint(end, ", ".join(said), finding, tooltip, frees[0] if len(frees) == 1 else None)


def _line(file: File, span: Span) -> int:
    return file.text.position(span.start).line + 1
