"""Where the buffers of a family die: the earliest points, on each path, behind which no operation may use them.

A buffer dies behind an operation, or on a way between two segments: where it is live on others that lead on from the
same place. Each that is allocated comes past exactly one such point, unless it is handed to the caller, execution ends,
or goes round for ever where it is live.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from memlane.flow.dataflow.bits import single
from memlane.placement.mentions import Act
from memlane.placement.ranges import Ranges
from memlane.placement.segments import Segments, Way


class Death(NamedTuple):
    """Where a buffer dies.

    Args:
        segment: in which.
        at: the number in its block of the operation behind which; of one that ends the segment, or of a `way`, None.
        way: at the end of `segment`, where control goes on.
    """

    segment: int
    at: int | None
    way: Way | None = None


def deaths(segments: Segments, ranges: Ranges) -> dict[int, list[Death]]:
    """Where each owner dies, by its bit; of one that is never used it is behind its allocation."""
    found: dict[int, list[Death]] = {}
    doomed = segments.doomed
    touched = {*ranges.events, *ranges.leaving}
    for number in touched:
        if segments.position[number] < 0 or number in doomed:
            continue
        for bits, death in _in(segments, ranges, number):
            if death.way is not None and death.way.target in doomed:
                continue
            for bit in single(bits & ranges.owners):
                found.setdefault(bit, []).append(death)
    return found


def _in(segments: Segments, ranges: Ranges, number: int) -> Iterator[tuple[int, Death]]:
    """What dies in a segment, or on its ways."""
    live = ranges.leaving.get(number, 0)
    ways = segments.after[number]
    if live:
        for way in ways:
            gone = live & ~ranges.across(way) & ~ranges.moved(way)
            if gone:
                yield gone, Death(number, None, way)
    last = segments.last(number)
    for at, act, bits, _ in reversed(ranges.events.get(number, ())):
        if act is not Act.FREE and bits & ~live:
            gone = bits & ~live
            if at == last:
                for way in ways:
                    yield gone, Death(number, None, way)
            else:
                yield gone, Death(number, max(at, segments.every[number].start - 1))
        if act is Act.USE:
            live |= bits
        elif act is Act.DEFINE:
            live &= ~bits
