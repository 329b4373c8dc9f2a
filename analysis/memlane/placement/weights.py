"""How much work lies between two points of a function: operations, as lateness counts them.

Constants, deallocations, what only names a buffer for its deallocation, and what ends a block weigh nothing. A loop
weighs one where it begins, however often it runs. An operation with branches, or a branch between blocks, weighs
nothing where one of these is entered, and one where all of them are left behind: what is done first in each branch is
done no later than what is done before them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Container, Sequence
from functools import cached_property
from heapq import heapify, heappop, heappush

from memlane.flow.control.graph import Graph
from memlane.placement.segments import Segments
from memlane.syntax.names.dominance import dominator_tree
from memlane.syntax.tree.tree import Block, Op

Point = tuple[int, int]
"""A segment, and the number in its block of the operation before which it is."""

_FEW = 64
"""Segments that are looked at between a branch and where its ways meet."""
_MOST = 4096
"""Steps for one distance; then it is what is known."""


class Weights:
    """The weights of a function's operations.

    Args:
        graph, segments: of the function.
        feeding: operations that only name a buffer for its deallocation.
    """

    def __init__(self, graph: Graph, segments: Segments, feeding: Collection[Op]) -> None:
        self._graph, self._segments = graph, segments
        self._idle: dict[Block, list[int]] = {}
        for op in feeding:
            if op.parent is not None and graph.works(op):
                self._idle.setdefault(op.parent, []).append(op.index)
        for numbers in self._idle.values():
            numbers.sort()
        self._total: list[int | None] = [None] * len(segments.every)
        self._ahead: list[list[tuple[int, int]] | None] = [None] * len(segments.every)

    def between(self, number: int, start: int, stop: int) -> int:
        """That of the operations of a segment from one number up to another, exclusive."""
        segment = self._segments.every[number]
        start, stop = max(start, segment.start), min(stop, segment.stop)
        if start >= stop:
            return 0
        found = self._graph.work(segment.block, start, stop).operations
        idle = self._idle.get(segment.block)
        if idle:
            found -= bisect_left(idle, stop) - bisect_left(idle, start)
        last = self._segments.last(number)
        if (
            last is not None
            and start <= last < stop
            and self._is_free(segment.block.ops[last], segment.head is not None)
        ):
            found -= 1
        return found

    def _is_free(self, op: Op, inside: bool) -> bool:
        """Whether what ends a segment weighs nothing there, though it is counted."""
        return self._graph.works(op) and not (inside and self._segments.is_loop(op))

    def total(self, number: int) -> int:
        """That of a segment."""
        found = self._total[number]
        if found is None:
            segment = self._segments.every[number]
            found = self._total[number] = self.between(number, segment.start, segment.stop)
        return found

    def rest(self, number: int, after: int) -> int:
        """That of a segment behind the operation of a number."""
        return self.between(number, after + 1, self._segments.every[number].stop)

    # ---- nothing in between ------------------------------------------------------------------------------------------

    def next_to(self, starts: Sequence[Point], stops: dict[int, list[int]], sure: Container[int] = ()) -> set[Point]:
        """The points that control may reach without work.

        Args:
            starts: from where, each behind what is before it.
            stops: the numbers of the operations of interest, by segment, in order: control goes no further.
            sure: the segments with those of which it is sure that they are what is looked for: a branch that holds one
                is there for its sake, and no work.
        """
        found: set[Point] = set()
        pending: list[tuple[int, int, frozenset[int]]] = [(number, at, frozenset()) for number, at in starts]
        seen = {*pending}
        while pending:
            number, at, open_ = pending.pop()
            stop = next((one for one in stops.get(number, ()) if one >= at), None)
            if stop is not None:
                if not self.between(number, at, stop):
                    found.add((number, stop))
                continue
            if self.between(number, at, self._segments.every[number].stop):
                continue
            targets = {way.target for way in self._segments.after[number]}
            meeting = self._meeting.get(number) if len(targets) > 1 else None
            if meeting is not None and self._is_work(number, meeting, sure):
                open_ |= {meeting}
            for target in targets:
                step = target, self._segments.every[target].start, open_ - {target}
                if target in open_:
                    continue  # a branch is left behind
                if step not in seen:
                    seen.add(step)
                    pending.append(step)
            if len(seen) > _MOST:
                return {(number, at) for number, ats in stops.items() for at in ats}
        return found

    def _is_work(self, number: int, meeting: int, sure: Container[int]) -> bool:
        """Whether a branch that is left behind is work: ways meet there, and none of these comes past one of `sure`."""
        if len(self._segments.before[meeting]) < 2:
            return False
        seen = {meeting}
        pending = [way.target for way in self._segments.after[number]]
        while pending and len(seen) < _FEW:
            one = pending.pop()
            if one in sure and one != meeting:
                return False
            if one not in seen:
                seen.add(one)
                pending += [way.target for way in self._segments.after[one]]
        return True

    @cached_property
    def _meeting(self) -> dict[int, int]:
        """Where the ways that lead on from each segment meet, where they do."""
        edges: list[tuple[int, int]] = []
        for number in self._segments.order:
            ways = self._segments.after[number]
            edges += [(way.target + 1, number + 1) for way in ways]
            if not ways:
                edges.append((0, number + 1))
        parents = dominator_tree(len(self._segments.every) + 1, edges)
        return {one - 1: above - 1 for one, above in parents.items() if one and above}

    # ---- the least in between ----------------------------------------------------------------------------------------

    def least(self, starts: Sequence[Point], stops: dict[int, list[int]]) -> dict[Point, int]:
        """The least work from one of the `starts` to each of the `stops` that control may reach from there; control
        goes no further. See `next_to`."""
        every = self._segments.every
        found: dict[Point, int] = {}
        best: dict[int, int] = {}
        pending: list[int] = []
        for number, at in starts:
            if self._leaps(number, at, stops, found):
                continue
            if not self._stopped(number, at, 0, stops, found):
                self._pass_on(number, self.between(number, at, every[number].stop), best, pending)
        heapify(pending)
        steps = 0
        while pending:
            place = heappop(pending)
            while pending and pending[0] == place:
                heappop(pending)
            number = self._segments.order[place]
            weight = best[number]
            if not pending and self._jump(number, weight, stops, found):
                break
            steps += 1
            if steps > _MOST:
                break
            if not self._stopped(number, every[number].start, weight, stops, found):
                self._pass_on(number, weight + self.total(number), best, pending)
        return found

    def _stopped(self, number: int, at: int, weight: int, stops: dict[int, list[int]], found: dict[Point, int]) -> bool:
        stop = next((one for one in stops.get(number, ()) if one >= at), None)
        if stop is None:
            return False
        reached = weight + self.between(number, at, stop)
        found[number, stop] = min(reached, found.get((number, stop), reached))
        return True

    def _pass_on(self, number: int, weight: int, best: dict[int, int], pending: list[int]) -> None:
        for target, more in self._onward(number):
            if weight + more < best.get(target, weight + more + 1):
                best[target] = weight + more
                heappush(pending, self._segments.position[target])

    def _onward(self, number: int) -> list[tuple[int, int]]:
        """The segments behind one, and what it weighs to come there: all of an operation with branches weighs one."""
        known = self._ahead[number]
        if known is not None:
            return known
        found: list[tuple[int, int]] = []
        self._ahead[number] = found
        head = self._segments.every[number].head
        for way in self._segments.after[number]:
            found.append((way.target, self._lead(way.target)))
        if head is not None:
            behind = self._segments.behind(head)
            if self._segments.position[behind] >= 0:
                found.append((behind, self._lead(behind)))
        return found

    def _lead(self, target: int) -> int:
        """What it weighs to come out of an operation with regions."""
        holder = self._segments.every[target].holder
        return int(holder is not None and not self._segments.is_loop(holder))

    def _leaps(self, number: int, at: int, stops: dict[int, list[int]], found: dict[Point, int]) -> bool:
        """Whether all ways to the stops lead through a segment: then the rest of that is the start of all of them."""
        if number in stops or not all(self._segments.dominates(number, other) for other in stops):
            return False
        return self._jump(
            number, self.between(number, at, self._segments.every[number].stop) - self.total(number), stops, found
        )

    def _jump(self, number: int, weight: int, stops: dict[int, list[int]], found: dict[Point, int]) -> bool:
        """Where all control has to pass one point on the way to all stops, the rest is known: what is the least from
        the start of the function to these, without what is the least to that point."""
        rest = [other for other in stops if other != number and self._segments.position[other] >= 0]
        if number in stops or not all(self._segments.dominates(number, other) for other in rest):
            return False
        for other in rest:
            for at in stops[other][:1]:
                far = self._far[other] - self._far[number] + self.between(other, self._segments.every[other].start, at)
                found[other, at] = min(weight + far, found.get((other, at), weight + far))
        return True

    @cached_property
    def _far(self) -> list[int]:
        """The least work from the start of the function to each segment."""
        best: dict[int, int] = {0: 0}
        pending = [0]
        while pending:
            place = heappop(pending)
            while pending and pending[0] == place:
                heappop(pending)
            number = self._segments.order[place]
            self._pass_on(number, best[number] + self.total(number), best, pending)
        return [best.get(number, 0) for number in range(len(self._segments.every))]
