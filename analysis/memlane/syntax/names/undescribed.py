"""Regions of operations with unknown syntax: the effects that their text may have on names, so that no error depends on
them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from memlane.syntax.names.frames import Frame, OpenOp
from memlane.syntax.names.scoping import Scoping
from memlane.syntax.shapes.shape import Event, Open, OpShape, Template
from memlane.syntax.shapes.spelling import may_be_bare
from memlane.syntax.shapes.tokens import BARE_OPS


def declares(scoping: Scoping, events: Sequence[Event], position: int, op: OpenOp | None) -> bool:
    """Whether the event at `position` is the head of a region, of such an op: it may declare names in any form. So may
    what stands behind a region of one, which another region may follow: `} -> (%i: index)`.

    `op`: the op of an earlier event that the event goes on with.
    """
    event = events[position]
    head = position + 1 < len(events) and isinstance(events[position + 1], Open)
    if isinstance(event, OpShape):
        return head and not event.generic and scoping.undescribed(event.name)
    return op is not None and (head or not op.generic) and scoping.undescribed(op.name)


def foreign(scoping: Scoping, template: Template | None) -> bool:
    """Whether a statement is an op of such a dialect in its own form, with which the text behind it may go on."""
    last = template.events[-1] if template is not None and template.events else None
    return isinstance(last, OpShape) and not last.generic and scoping.undescribed(last.name)


def undescribed(scoping: Scoping, op: OpenOp) -> bool:
    """Whether an op is of such a dialect and in its own form."""
    return not op.generic and scoping.undescribed(op.name)


def goes_on_with(scoping: Scoping, op: OpenOp | None) -> bool:
    """Whether a word at the start of a statement may be one of the op whose region has just been closed."""
    return op is not None and (op.clause or undescribed(scoping, op))


def unlike_ops(scoping: Scoping, owner: OpenOp) -> bool:
    """Whether the regions of an op may contain other text than operations: those of an op with unknown syntax, unless
    it is a function."""
    return undescribed(scoping, owner) and not scoping.function(owner.name)


def explained(scoping: Scoping, name: str, around: Iterable[str]) -> bool:
    """Whether there may be an operation of this name, without a dialect, in the innermost of the open regions: those of
    an op without one (`for`) are in the dialect of what is around that.

    Args:
        around: the names of the ops that the open regions are of, from the inside.
    """
    owner = next((op for op in around if op not in BARE_OPS), "")
    return may_be_bare(name) or scoping.undescribed(owner)


def hides(scoping: Scoping, frames: Sequence[Frame], outer: int) -> bool:
    """Whether one of the open regions inside region `outer` may have names of its own for what stands outside."""
    inner = takewhile(lambda one: one.number != outer, reversed(frames))
    return any(scoping.undescribed(one.op.name) for one in inner)
