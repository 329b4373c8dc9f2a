"""`reusable-buffer` and `redundant-copy`: one buffer takes the part of another, which is not made any more."""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Edit, Fix
from memlane.fixes.advice.subject import OfBuffer, alone
from memlane.fixes.edit_writer import Writer
from memlane.flow.effects.alloc_counts import taken_between
from memlane.rules._plain import Plain
from memlane.syntax.tree.tree import Op

_HELD = "the memory would be held while other memory is taken: more may be needed at once"


def reused(subject: OfBuffer) -> Iterator[Fix]:
    """The memory of the earlier buffer, which is dead, serves the later one."""
    later, earlier = subject.plain, subject.other()
    if earlier is None or not _alike(earlier, later):
        return
    block = later.made.parent
    held = block is not None and taken_between(subject.graph, block, earlier.freed.index + 1, later.made.index)
    edits = _merged(subject, earlier, later, ())
    yield subject.fix(f"Let {later.name} use the memory of {earlier.name}", edits, _HELD if held else "")


def handed_over(subject: OfBuffer) -> Iterator[Fix]:
    """The source of a copy or clone serves on as its result."""
    target, source = subject.plain, subject.other()
    if source is None or source.origin.value.type != target.origin.value.type:
        return
    clone = target.made.name_span == subject.finding.report.span
    copy = target.made if clone else target.held[0] if target.held else target.made
    if copy.name_span != subject.finding.report.span or (copy.results and not clone):
        return
    edits = _merged(subject, source, target, () if clone else (copy,))
    what = "clone" if clone else "copy"
    yield subject.fix(f"Use {source.name} instead of its {what} {target.name}", edits)


def _alike(earlier: Plain, later: Plain) -> bool:
    same = earlier.origin.value.type == later.origin.value.type and earlier.made.parent is later.made.parent
    return same and dict(earlier.made.attributes) == dict(later.made.attributes) and alone(later.made)


def _merged(subject: OfBuffer, kept: Plain, gone: Plain, dropped: tuple[Op, ...]) -> tuple[Edit, ...]:
    """`kept` stays until `gone` would have been freed, and goes by its own name there."""
    writer = Writer(subject.text)
    removed = (gone.made, kept.freed, *dropped)
    for op in removed:
        writer.remove(op)
    writer.rename(gone.origin.value, kept.name, removed)
    return writer.edits()
