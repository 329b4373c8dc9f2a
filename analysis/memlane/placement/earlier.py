"""How far up a deallocation can be moved, whatever else frees its buffers: to where every execution that comes past the
one place comes past the other, as often, and nothing between them may name what it frees.

So a deallocation is late, too, whose buffer has a fault elsewhere, or may be another's: as the move keeps which buffer
it frees, and how often.
"""

from __future__ import annotations

from collections.abc import Container

from memlane.cancellation import poll
from memlane.flow.control.graph import Graph
from memlane.placement.happenings import Happening
from memlane.placement.ranges import Ranges
from memlane.placement.segments import Segments, Way
from memlane.placement.weights import Point
from memlane.syntax.tree.tree import Block, Op

_MAX_SEGMENTS_PASSED = 4096
"""Segments between two blocks of a control-flow graph; a deallocation is not moved up past more at once."""


class EarlierPlaces:
    """Those of the deallocations of one family."""

    def __init__(self, graph: Graph, segments: Segments, ranges: Ranges) -> None:
        self._graph, self._segments, self._ranges = graph, segments, ranges

    def of(self, point: Point, names: int) -> Point:
        """The earliest point to which the deallocation at a point can be moved. `names`: the bits of the roots that may
        stand for what it frees."""
        number, at = point
        while True:
            named = [one.at for one in self._ranges.events.get(number, ()) if one.at < at and one.bits & names]
            start = self._segments.every[number].start
            if named:
                return number, max(named[-1] + 1, start)
            above = self._above(number, names)
            if above is None:
                return number, start
            number, at = above, self._segments.every[above].stop

    def _above(self, number: int, names: int) -> int | None:
        """The segment from whose end control comes to the start of another, once each time, where nothing on the way,
        nor what ends it, names the buffers. None: there is none."""
        holder = self._segments.every[number].holder
        if holder is not None:
            above, passed = number - 1, _Inside(self._segments, holder)
            handed = self._segments.before[number]
        else:
            found = self._around(number)
            if found is None:
                return None
            above, passed = found
            handed = [way for one in (above, *passed) for way in self._segments.after[one]]
        last = self._segments.last(above)
        ends = [one for one in self._ranges.events.get(above, ()) if last is not None and one.at >= last]
        return None if self._named(ends, passed, handed, names) else above

    def _named(self, ends: list[Happening], passed: Container[int], handed: list[Way], names: int) -> bool:
        """Whether one of some events, one in some segments, or what ways hand over is about the buffers."""
        inside = (one for number, events in self._ranges.events.items() if number in passed for one in events)
        return (
            any(one.bits & names for one in ends)
            or any(self._ranges.handed(way).receivers & names for way in handed)
            or any(one.bits & names for one in inside)
        )

    def _around(self, number: int) -> tuple[int, set[int]] | None:
        """The nearest segment of the same region from which control always comes to another, as often, and the segments
        between the two."""
        every, dominators = self._segments.every, self._segments.dominators
        above = dominators.get(number, number)
        below = number
        while above != below and every[above].block.region is every[number].block.region:
            passed = self._passed(above, number)
            if passed is None:
                return None
            if above not in passed:
                return above, passed
            above, below = dominators[above], above  # a loop that is left there: the other is behind all its rounds
        return None

    def _passed(self, above: int, number: int) -> set[int] | None:
        """The segments that control may come to behind one before it comes to another, which that one dominates. None:
        it may not come there, or come back there without the first; or they are too many."""
        found = set[int]()
        pending = [above]
        while pending:
            one = pending.pop()
            poll()
            ways = self._segments.after[one]
            if not ways and not self._graph.stops(self._segments.every[one].block):
                return None
            for way in ways:
                if way.target != number and way.target not in found:
                    found.add(way.target)
                    pending.append(way.target)
            if len(found) > _MAX_SEGMENTS_PASSED:
                return None
        comes_back = any(way.source not in found and way.source != above for way in self._segments.before[number])
        return None if comes_back else found


class _Inside:
    """The segments in the regions of an operation."""

    def __init__(self, segments: Segments, holder: Op) -> None:
        self._segments, self._holder = segments, holder

    def __contains__(self, number: object) -> bool:
        assert isinstance(number, int)
        block: Block | None = self._segments.every[number].block
        while block is not None:
            around = block.region.op
            if around is self._holder:
                return True
            block = around.parent
        return False
