"""Whether work lies between two points of a function: operations, as lateness counts them.

Constants, deallocations, what only names a buffer for its deallocation, and what ends a block weigh nothing. A loop
weighs one where it begins, however often it runs. An operation with branches, or a branch between blocks, weighs
nothing where one of these is entered, and one where all of them are left behind: what is done first in each branch is
done no later than what is done before them. Where nothing is in any of them, it weighs nothing at all.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Container, Sequence
from functools import cached_property

from memlane.flow.cfg.graph import Graph
from memlane.flow.effects.cost_model import is_work, only_leads, work_between
from memlane.placement.limits import MAX_BRANCH_SEGMENTS, MAX_DISTANCE_STEPS
from memlane.placement.segments import Segments
from memlane.syntax.names.dominance import dominator_tree
from memlane.syntax.tree.tree import Block, Op

Point = tuple[int, int]
"""A segment, and the number in its block of the operation before which it is."""


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
            if op.parent is not None and is_work(graph, op):
                self._idle.setdefault(op.parent, []).append(op.index)
        for numbers in self._idle.values():
            numbers.sort()

    def between(self, number: int, start: int, stop: int) -> int:
        """That of the operations of a segment from one number up to another, exclusive."""
        segment = self._segments.every[number]
        found = self.operations(number, start, stop)
        idle = self._idle.get(segment.block) if found else None
        if idle:
            start, stop = max(start, segment.start), min(stop, segment.stop)
            found -= bisect_left(idle, stop) - bisect_left(idle, start)
        return found

    def operations(self, number: int, start: int, stop: int) -> int:
        """The same with what only names a buffer for its deallocation: it makes none late, but counts where one is."""
        segment = self._segments.every[number]
        start, stop = max(start, segment.start), min(stop, segment.stop)
        if start >= stop:
            return 0
        found = work_between(self._graph, segment.block, start, stop).operations
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
        return is_work(self._graph, op) and not (inside and self._segments.is_loop(op))

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
            several = len(targets) > 1 or self._segments.every[number].head is not None
            meeting = self._meeting.get(number) if several else None
            if meeting is not None and self._is_work(number, meeting, sure):
                open_ |= {meeting}
            for target in targets:
                step = target, self._segments.every[target].start, open_ - {target}
                if target in open_:
                    continue  # a branch is left behind
                if step not in seen:
                    seen.add(step)
                    pending.append(step)
            if len(seen) > MAX_DISTANCE_STEPS:
                return {(number, at) for number, ats in stops.items() for at in ats}
        return found

    def _is_work(self, number: int, meeting: int, sure: Container[int]) -> bool:
        """Whether a branch that is left behind is work: ways meet there, taken or not, some hand something over or
        come past more than branches, and none comes past one of `sure`."""
        if len(self._segments.before[meeting]) + self._never_taken[meeting] < 2:
            return False
        seen = {meeting}
        pending = [way.target for way in self._segments.after[number]]
        head = self._segments.every[number].head
        does = head is not None and not only_leads(self._graph, head)
        does = does or any(way.edge.bindings for way in self._segments.before[meeting])
        while pending and len(seen) < MAX_BRANCH_SEGMENTS:
            one = pending.pop()
            if one in sure and one != meeting:
                return False
            if one not in seen:
                seen.add(one)
                pending += [way.target for way in self._segments.after[one]]
                does = does or not self._only_leads(one)
        return does or bool(pending)

    def _only_leads(self, number: int) -> bool:
        """Whether nothing is in a segment but what leads on."""
        segment = self._segments.every[number]
        return all(only_leads(self._graph, op) for op in segment.block.ops[segment.start : segment.stop])

    @cached_property
    def _never_taken(self) -> Counter[int]:
        """How many ways lead to each segment that no execution takes."""
        return Counter(way.target for way in self._segments.left_out)

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
