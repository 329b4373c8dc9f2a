"""The fewest operations between where a buffer dies and a deallocation, on any path.

They weigh what `Weights` says; but what only names a buffer for its deallocation counts, too, unless the buffer is the
one whose deallocation is looked for. To come out of an operation with branches weighs one where control came in, and
nothing for what begins in it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from heapq import heapify, heappop, heappush

from memlane.flow.cfg.graph import Graph
from memlane.flow.effects.cost_model import is_work
from memlane.placement.limits import MAX_FAR_STEPS_PER_SEGMENT, MAX_SEARCH_STEPS
from memlane.placement.segments import Segments
from memlane.placement.weights import Point, Weights
from memlane.syntax.tree.tree import Block, Op


class Distances:
    """Those of one function.

    Args:
        graph, segments, weights: of the function.
    """

    def __init__(self, graph: Graph, segments: Segments, weights: Weights) -> None:
        self.graph, self.segments, self.weights = graph, segments, weights
        self._total: list[int | None] = [None] * len(segments.every)
        self._onward: list[list[tuple[int, int]] | None] = [None] * len(segments.every)
        self._far_steps = MAX_FAR_STEPS_PER_SEGMENT * len(segments.every)

    def least(
        self, starts: Sequence[Point], stops: Mapping[int, Sequence[int]], naming: Iterable[Op] = ()
    ) -> dict[Point, int]:
        """The fewest operations from one of the `starts` to each of the `stops` that control may reach from there;
        control goes no further.

        Args:
            starts: from where, each behind what is before it.
            stops: the numbers of the operations of interest, by segment, in order.
            naming: operations that do not count.
        """
        return _Search(self, starts, stops, naming).found

    def total(self, number: int) -> int:
        """The operations of a segment."""
        found = self._total[number]
        if found is None:
            segment = self.segments.every[number]
            found = self._total[number] = self.weights.operations(number, segment.start, segment.stop)
        return found

    def onward(self, number: int) -> list[tuple[int, int]]:
        """The segments behind one, and what it weighs to come there: all of an operation with branches weighs one."""
        known = self._onward[number]
        if known is not None:
            return known
        segments = self.segments
        found = self._onward[number] = [(way.target, self._lead(way.target)) for way in segments.after[number]]
        head = segments.every[number].head
        if head is not None:
            behind = segments.behind(head)
            if segments.position[behind] >= 0:
                found.append((behind, self._lead(behind)))
        return found

    def _lead(self, target: int) -> int:
        """What it weighs to come out of an operation with regions."""
        holder = self.segments.every[target].holder
        return int(holder is not None and not self.segments.is_loop(holder))

    def around(self, number: int) -> Iterator[Op]:
        """The operations with branches around a segment."""
        around = self.segments.every[number].block.region.op
        while around.parent is not None and around is not self.graph.function:
            if not self.segments.is_loop(around):
                yield around
            around = around.parent.region.op

    @cached_property
    def far(self) -> list[int]:
        """The fewest from the start of the function to each segment."""
        best: dict[int, int] = {0: 0}
        pending = [0]
        while pending:
            number = self.pop(pending)
            self.pass_on(number, best[number] + self.total(number), (), best, pending)
        return [best.get(number, 0) for number in range(len(self.segments.every))]

    def has_step(self, steps: int) -> bool:
        """Whether a search that took so many steps may take one more: one of its own, or of those that all share."""
        if steps < MAX_SEARCH_STEPS:
            return True
        self._far_steps -= 1
        return self._far_steps >= 0

    def pop(self, pending: list[int]) -> int:
        """Take out the segment that comes first."""
        place = heappop(pending)
        while pending and pending[0] == place:
            heappop(pending)
        return self.segments.order[place]

    def pass_on(
        self, number: int, weight: int, around: Container[Op], best: dict[int, int], pending: list[int]
    ) -> None:
        """Go on behind a segment. `around`: the operations which it weighs nothing to come out of."""
        for target, more in self.onward(number):
            holder = self.segments.every[target].holder
            if more and holder is not None and holder in around:
                more = 0
            if weight + more < best.get(target, weight + more + 1):
                best[target] = weight + more
                heappush(pending, self.segments.position[target])


class _Search:
    """One search: see `Distances.least`.

    Attributes:
        found: the fewest to each point that is reached.
    """

    def __init__(
        self,
        distances: Distances,
        starts: Sequence[Point],
        stops: Mapping[int, Sequence[int]],
        naming: Iterable[Op],
    ) -> None:
        self._distances, self._segments = distances, distances.segments
        self._stops = stops
        self._around = {holder for number, _ in starts for holder in distances.around(number)}
        self._naming: dict[Block, list[int]] = {}
        self._named: set[int] = set()
        for op in naming:
            place = self._segments.of(op) if is_work(distances.graph, op) else None
            if op.parent is not None and place is not None:
                self._naming.setdefault(op.parent, []).append(op.index)
                self._named.add(place[0])
        for numbers in self._naming.values():
            numbers.sort()
        self._best: dict[int, int] = {}
        self._pending: list[int] = []
        self.found: dict[Point, int] = {}
        for number, at in starts:
            self._start(number, at)
        heapify(self._pending)
        self._go()

    def _start(self, number: int, at: int) -> None:
        stop = self._segments.every[number].stop
        if self._jump(number, self._between(number, at, stop) - self._total(number)):
            return
        if not self._reach(number, at, 0):
            self._pass_on(number, self._between(number, at, stop))

    def _go(self) -> None:
        steps = 0
        while self._pending and self._distances.has_step(steps):
            steps += 1
            number = self._distances.pop(self._pending)
            weight = self._best[number]
            if not self._pending and self._jump(number, weight):
                return
            if not self._reach(number, self._segments.every[number].start, weight):
                self._pass_on(number, weight + self._total(number))

    def _pass_on(self, number: int, weight: int) -> None:
        self._distances.pass_on(number, weight, self._around, self._best, self._pending)

    def _reach(self, number: int, at: int, weight: int) -> bool:
        """Whether control goes no further than a segment, from a point in it."""
        stop = next((one for one in self._stops.get(number, ()) if one >= at), None)
        if stop is not None:
            self._find((number, stop), weight + self._between(number, at, stop))
        return stop is not None

    def _find(self, point: Point, weight: int) -> None:
        self.found[point] = min(weight, self.found.get(point, weight))

    def _between(self, number: int, start: int, stop: int) -> int:
        """The operations of a segment from one number up to another, exclusive."""
        found = self._distances.weights.operations(number, start, stop)
        numbers = self._naming.get(self._segments.every[number].block) if found else None
        if numbers:
            found -= bisect_left(numbers, stop) - bisect_left(numbers, start)
        return found

    def _total(self, number: int) -> int:
        if number not in self._named:
            return self._distances.total(number)
        segment = self._segments.every[number]
        return self._between(number, segment.start, segment.stop)

    def _jump(self, number: int, weight: int) -> bool:
        """Where all control has to pass one segment on the way to all stops, the rest is known: what is the least from
        the start of the function to these, without what is the least to that segment.

        Args:
            weight: the least to the start of the segment.
        """
        dominates = self._segments.dominates
        rest = [other for other in self._stops if other != number and self._segments.position[other] >= 0]
        if number in self._stops or not all(dominates(number, other) for other in rest):
            return False
        left = self._around.intersection(self._distances.around(number)) if self._around else set[Op]()
        gone: dict[int, int] = {}
        for other in rest:
            less = self._left_out(number, other)
            if less is None:
                return False
            gone[other] = less + len(left.difference(self._distances.around(other)) if left else ())
        far = self._distances.far
        for other in rest:
            for at in self._stops[other][:1]:
                more = self._between(other, self._segments.every[other].start, at)
                self._find((other, at), weight + far[other] - far[number] - gone[other] + more)
        return True

    def _left_out(self, number: int, other: int) -> int | None:
        """How many operations on all ways from one segment to another do not count; None: on some of them others."""
        found = 0
        for one in self._named - {other}:
            if not self._segments.dominates(number, one):
                continue
            if not self._segments.dominates(one, other):
                return None
            found += self._distances.total(one) - self._total(one)
        return found
