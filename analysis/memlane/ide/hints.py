"""Hints at the end of lines: how large a buffer is and how long it lives, how late it is freed.

What is wrong is said by findings; hints repeat it in two words where the buffer begins, and say for the others what
can be said. Nothing stands where there is nothing to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from memlane.dialects import select
from memlane.findings import Finding, Span
from memlane.flow import size_of
from memlane.ide.locate import ops_in, touches
from memlane.snapshot import File
from memlane.syntax.tree import Op, Value

LOST = {"leak": "never freed", "possible-leak": "not freed on every path"}
"""What the hint of an allocation says, by the rule that reports it."""


class Kind(Enum):
    """Kinds of hints, each with a switch of its own."""

    SIZE = "size"
    LIFETIME = "lifetime"
    LATE = "late"


ALL = frozenset(Kind)


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint.

    Args:
        offset: where it stands: the end of a line.
        label: what it says.
        finding: what it repeats; its message is more of it, and its fix is what accepting the hint does.
    """

    offset: int
    label: str
    finding: Finding | None = None


def hints(file: File, span: Span, kinds: frozenset[Kind] = ALL) -> list[Hint]:
    """The hints of the lines that `span` touches, in text order."""
    found: list[Hint] = []
    by_place = {finding.report.span: finding for finding in file.checked.findings if _is_ours(finding)}
    for op in ops_in(file.near(span), span):
        if touches(span, op.name_span.start):
            found.extend(_of_op(file, op, by_place.get(op.name_span), kinds))
    return sorted(found, key=lambda hint: hint.offset)


def _is_ours(finding: Finding) -> bool:
    return finding.rule.name in LOST or finding.report.late is not None


def _of_op(file: File, op: Op, finding: Finding | None, kinds: frozenset[Kind]) -> Iterator[Hint]:
    end = file.text.line_end(file.text.position(op.name_span.end).line)
    model = file.models.of(op.name)
    for alloc in model.alloc if model else ():
        if alloc.result < len(op.results):
            words = list(_allocation(file, op.results[alloc.result], finding, kinds))
            if words:
                yield Hint(end, ", ".join(words), finding)
    late = finding.report.late if finding else None
    if late is not None and finding is not None and Kind.LATE in kinds:
        ops = f"{late.operations} op{'s' if late.operations != 1 else ''}"
        since = f"the last use (L{_line(file, late.after)})" if late.after else "its block begins"
        yield Hint(end, f"{ops} after {since}", finding)


def _allocation(file: File, value: Value, finding: Finding | None, kinds: frozenset[Kind]) -> Iterator[str]:
    size = size_of(value)
    if Kind.SIZE in kinds and size is not None and "?" not in size.dimensions:
        yield f"{size} B"
    if Kind.LIFETIME not in kinds:
        return
    if finding is not None and finding.rule.name in LOST:
        yield LOST[finding.rule.name]
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
