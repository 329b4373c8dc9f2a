"""The late deallocations of a function, as its rules, pictures and tables speak of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from memlane.flow import EventKind, FunctionFacts, FunctionFlow, Origin, Program
from memlane.placement.late import Lateness, Placement
from memlane.placement.places import Place
from memlane.syntax.tree.tree import Op

WRONGS = frozenset(EventKind) - {EventKind.UNINITIALIZED_READ}
"""What may be wrong with when a buffer is freed."""


class FreeSpot(NamedTuple):
    """A place at which a buffer could be freed.

    Args:
        after: the operation behind which; None: at the start of a block, or on a way to one.
        first: the operation before which.
    """

    after: Op | None
    first: Op


class LateDealloc(NamedTuple):
    """A deallocation that comes late.

    Args:
        op: the deallocation.
        origin: the buffer's.
        operations: the fewest that run between where the buffer dies and the deallocation, on any path.
        spots: where it could be freed instead, in text order.
        doubt: as in `Incident`.
    """

    op: Op
    origin: Origin
    operations: int
    spots: tuple[FreeSpot, ...]
    doubt: str = ""

    @property
    def after(self) -> Op | None:
        """The operation behind which it could stand, where that is one place."""
        return self.spots[0].after if len(self.spots) == 1 else None


def placed(program: Program, flow: FunctionFlow, facts: FunctionFacts) -> Placement:
    """Where the buffers of a function die."""
    wrong = {one.origin.value for one in facts.incidents if one.kind in WRONGS}
    wrong |= {origin.value for origin in facts.unsolved}
    return Placement(program, flow, lambda origin: origin.value in wrong)


def late_deallocs(program: Program, flow: FunctionFlow, facts: FunctionFacts) -> tuple[LateDealloc, ...]:
    """The late deallocations of a function, in source order."""
    placement = placed(program, flow, facts)
    found = [_told(one, placement, facts) for one in placement.late()]
    wrong = {one.place for one in facts.incidents if one.kind in WRONGS}
    wrong |= {one.cause for one in facts.incidents if one.kind is EventKind.USE_AFTER_FREE and one.cause is not None}
    for free in placement.early(wrong):
        if free.origin not in facts.unsolved:
            spots = tuple(_spot(Place(*free.point), placement))
            doubt = facts.doubts.of_value(free.origin.value)
            found.append(LateDealloc(free.op, free.origin, free.operations, spots, doubt))
    return tuple(sorted(found, key=lambda one: one.op.span))


def sinkable_deallocs(program: Program, flow: FunctionFlow, facts: FunctionFacts) -> tuple[LateDealloc, ...]:
    """The deallocations of a function that are late on some executions only, in source order."""
    placement = placed(program, flow, facts)
    found = [_told(one, placement, facts) for one in placement.sometimes()]
    return tuple(sorted(found, key=lambda one: one.op.span))


def _told(late: Lateness, placement: Placement, facts: FunctionFacts) -> LateDealloc:
    spots = tuple(dict.fromkeys(_spots(late, placement)))
    doubt = facts.doubts.of_value(late.origin.value)
    return LateDealloc(late.op, late.origin, late.operations, spots, doubt)


def _spots(late: Lateness, placement: Placement) -> Iterator[FreeSpot]:
    """The places for the buffers that the deallocation may free."""
    family = late.buffers.family
    mine = family.freed_by(late.op)
    for value, places in late.buffers.places:
        if _is_among(family.ranges.bit_of(value), mine):
            for place in places:
                yield from _spot(place, placement)


def _is_among(bit: int, bits: int) -> bool:
    return bool(bit & bits)


def _spot(place: Place, placement: Placement) -> Iterator[FreeSpot]:
    block, at = placement.segments.every[place.segment].block, place.at
    while not block.ops and block.region.op.parent is not None:  # as where an empty branch is not written
        block, at = block.region.op.parent, block.region.op.index + 1
    if at < len(block.ops):
        after = block.ops[at - 1] if place.at and place.way is None else None
        yield FreeSpot(after, block.ops[at])
