"""From the points at which a buffer dies to the places in the text at which it can be freed, one where one is enough.

Where each way to a segment comes from a point at which the buffer has just died, the start of that segment does for all
of them.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import NamedTuple

from memlane.flow.cfg.region_dispatch import is_between
from memlane.flow.cfg.region_edges import defining_block
from memlane.placement.deaths import Death
from memlane.placement.ranges import Ranges
from memlane.placement.segments import Segments, Way
from memlane.placement.weights import Point, Weights
from memlane.syntax.tree.tree import Op, Value


class Place(NamedTuple):
    """Where a buffer can be freed.

    Args:
        segment, at: in which segment, before the operation of which number of its block.
        way: where it has to be on a way of its own: then the others say where that leads.
        rebound: bits of the roots that are others there than where the buffer died.
    """

    segment: int
    at: int
    way: Way | None = None
    rebound: int = 0


class PlaceFinder:
    """Finds the places of the buffers of one family."""

    def __init__(self, segments: Segments, ranges: Ranges, weights: Weights) -> None:
        self._segments, self._ranges, self._weights = segments, ranges, weights

    def of(self, died: Sequence[Death], value: Value) -> list[Place]:
        """The places for one buffer. `value`: its root, which has to be seen there."""
        points: dict[Point, int] = {}
        ways: dict[Way, None] = {}
        for death in died:
            if death.way is not None:
                ways[death.way] = None
            elif death.at is not None:
                points[death.segment, death.at + 1] = 0
        pending = {way.target for way in ways} | self._onward(points)
        while pending:
            target = pending.pop()
            joined = self._joined(target, points, ways, value)
            if joined is None:
                continue
            for way in self._segments.before[target]:
                ways.pop(way, None)
            for point in joined:
                points.pop(point, None)
            handed = 0
            for way in self._segments.before[target]:
                handed |= self._ranges.handed(way).receivers
            start = target, self._segments.every[target].start
            points[start] = handed
            pending |= self._onward([start])
        found = [Place(number, at, None, rebound) for (number, at), rebound in points.items()]
        found += [self._on_way(way) for way in ways]
        return sorted(found, key=self._text_order)

    def _onward(self, points: Sequence[Point] | dict[Point, int]) -> set[int]:
        """The segments to which control comes next from points, without work."""
        found: set[int] = set()
        for number, at in points:
            ways = self._segments.after[number]
            if len(ways) == 1 and not self._weights.between(number, at, self._segments.every[number].stop):
                found.add(ways[0].target)
        return found

    def _joined(self, target: int, points: dict[Point, int], ways: Container[Way], value: Value) -> list[Point] | None:
        """The points that the start of a segment does for; None where it does not do for all ways that lead there."""
        if is_between(self._segments.every[target].block):
            return None
        before = [way for way in self._segments.before[target] if self._segments.position[way.source] >= 0]
        found: list[Point] = []
        for way in before:
            if way in ways:
                continue
            here = [point for point in points if point[0] == way.source and target in self._onward([point])]
            if not here or len(before) < 2:
                return None
            found += here
        home = defining_block(value)
        block = self._segments.every[target].block
        bit = self._ranges.bit_of(value)
        if any(self._ranges.handed(way).receivers & bit for way in before):
            return None  # the name is another buffer's there
        while home is not None and block.region is not home.region:
            around: Op = block.region.op
            if around.parent is None:
                return None
            block = around.parent
        return found if before else None

    def _on_way(self, way: Way) -> Place:
        every = self._segments.every
        target = every[way.target]
        return Place(way.target, target.start, way, self._ranges.handed(way).receivers)

    def _text_order(self, place: Place) -> tuple[int, int]:
        block = self._segments.every[place.segment].block
        if place.at < len(block.ops):
            return block.ops[place.at].span.start, int(place.way is None)
        return block.span.end, int(place.way is None)
