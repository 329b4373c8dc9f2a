"""Regions of operations nobody described: what their text may do to names, so that no error rests on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from memlane.syntax.names.frames import Frame
from memlane.syntax.names.scoping import Scoping
from memlane.syntax.shapes.shape import Event, Open, OpShape
from memlane.syntax.shapes.spelling import may_be_bare
from memlane.syntax.shapes.tokens import BARE_OPS


def declares(scoping: Scoping, events: Sequence[Event], position: int, op: str) -> bool:
    """Whether the event at `position` is the head of a region, of such an op: it may declare names in any form.

    `op`: the op of an earlier event that the event goes on with, "" where it goes on with none.
    """
    event = events[position]
    if position + 1 >= len(events) or not isinstance(events[position + 1], Open):
        return False
    if isinstance(event, OpShape):
        return not event.generic and scoping.undescribed(event.name)
    return scoping.undescribed(op)


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
