"""How far up a deallocation can be moved, whatever else frees its buffers: to where every execution that comes past the
one place comes past the other, as often, and nothing between them may name what it frees.

So a deallocation is late, too, whose buffer has a fault elsewhere, or may be another's: the move keeps which buffer it
frees, and how often.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import NamedTuple

from memlane.cancellation import poll
from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.bits import single
from memlane.placement.happenings import Happening
from memlane.placement.limits import MAX_OWNERS_OF_A_NAME, MAX_SEGMENTS_PASSED
from memlane.placement.mentions import Act
from memlane.placement.ranges import Ranges
from memlane.placement.segments import Segments
from memlane.placement.weights import Point
from memlane.syntax.names.dominance import dominator_tree, relation
from memlane.syntax.tree.tree import Op, Value


class _StepUp(NamedTuple):
    """From the start of a segment up to the end of another, which control comes past as often: between them and at that
    end the roots of some bits are named."""

    above: int
    named: int


class EarlierPlaces:
    """Those of the deallocations of one family."""

    def __init__(self, graph: Graph, segments: Segments, ranges: Ranges) -> None:
        self._graph, self._segments, self._ranges = graph, segments, ranges
        self._steps: dict[int, _StepUp | None] = {}

    def of(self, point: Point, names: int, flagged: Point | None = None) -> Point:
        """The earliest point to which the deallocation at a point can be moved.

        Args:
            names: the bits of the roots that may stand for what it frees.
            flagged: where the flag is known from on under which it happens; None: it has none.
        """
        number, at = point
        for _ in range(MAX_SEGMENTS_PASSED):
            named = [one.at for one in self._ranges.events.get(number, ()) if one.at < at and _named([one]) & names]
            start = self._segments.every[number].start
            known = flagged[1] if flagged is not None and flagged[0] == number else None
            if named or known is not None:
                return number, max(named[-1] + 1 if named else start, known or start, start)
            if number not in self._steps:
                self._steps[number] = self._step(number)
            step = self._steps[number]
            if step is None or step.named & names:
                return number, start
            number, at = step.above, self._segments.every[step.above].stop
        return number, at

    # ---- what is above a segment -------------------------------------------------------------------------------------

    def _step(self, number: int) -> _StepUp | None:
        """The step up from a segment; None: there is none."""
        holder = self._segments.every[number].holder
        if holder is not None:
            above, named = number - 1, self._inside.get(holder, 0)
            ways = self._segments.before[number]
        else:
            found = self._around(number)
            if found is None:
                return None
            above, passed = found
            named = 0
            for one in passed:
                named |= _named(self._ranges.events.get(one, ()))
            ways = [way for one in (above, *passed) for way in self._segments.after[one]]
        for way in ways:
            named |= self._ranges.handed(way).receivers
        last = self._segments.last(above)
        if last is not None:
            named |= _named(one for one in self._ranges.events.get(above, ()) if one.at >= last)
        return _StepUp(above, named)

    @cached_property
    def _inside(self) -> dict[Op, int]:
        """By operation what its regions name."""
        found: dict[Op, int] = {}
        for number, events in self._ranges.events.items():
            named, around = _named(events), self._segments.every[number].block.region.op
            while around.parent is not None and around is not self._graph.function:
                found[around] = found.get(around, 0) | named
                around = around.parent.region.op
        return found

    def _around(self, number: int) -> tuple[int, set[int]] | None:
        """The nearest segment of the same region from which control always comes to another, as often, and the segments
        between the two."""
        every, dominators = self._segments.every, self._segments.dominators
        above, below = dominators.get(number, number), number
        while above != below and every[above].block.region is every[number].block.region:
            passed = self._passed(above, number) if self._follows_on(number, above) else None
            if passed is None:
                return None
            if above not in passed:
                return above, passed
            above, below = dominators[above], above  # a loop that is left there: the other is behind all its rounds
        return None

    @cached_property
    def _follows_on(self) -> Callable[[int, int], bool]:
        """Whether control that comes to the second of two segments comes to the first, unless execution ends."""
        edges: list[tuple[int, int]] = []  # backwards, from 0, where the function is left
        for number in self._segments.order:
            ways = self._segments.after[number]
            edges += [(way.target + 1, number + 1) for way in ways]
            if not ways and not self._graph.stops(self._segments.every[number].block):
                edges.append((0, number + 1))
        parents = dominator_tree(len(self._segments.every) + 1, edges)
        above = relation(parents)
        return lambda first, second: first + 1 in parents and second + 1 in parents and above(first + 1, second + 1)

    def _passed(self, above: int, number: int) -> set[int] | None:
        """The segments that control may come to behind one before it comes to another, as it does in the end. None: it
        may come back there without the first; or they are too many."""
        found = set[int]()
        pending = [above]
        while pending:
            one = pending.pop()
            poll()
            for way in self._segments.after[one]:
                if way.target != number and way.target not in found:
                    found.add(way.target)
                    pending.append(way.target)
            if len(found) > MAX_SEGMENTS_PASSED:
                return None
        comes_back = any(way.source not in found and way.source != above for way in self._segments.before[number])
        return None if comes_back else found


class MayBeSame:
    """Which roots may stand for the same buffers as others. `bit`: of each root."""

    def __init__(self, ranges: Ranges, bit: dict[Value, int]) -> None:
        self._borrowed = ranges.borrowed
        self._by_bit: dict[int, int] = {}
        self._of_many = 0
        for root, bits in ranges.stands_for.items():
            if bits.bit_count() > MAX_OWNERS_OF_A_NAME:
                self._of_many |= bit[root]
                continue
            for one in single(bits):
                self._by_bit[one] = self._by_bit.get(one, 0) | bit[root]

    def alike(self, bits: int) -> int:
        """The bits of the roots that may stand for what some bits stand for; of many bits all there are."""
        if bits.bit_count() > MAX_OWNERS_OF_A_NAME:
            return -1
        bits |= self._borrowed if bits & self._borrowed else 0
        found = bits | self._of_many
        for one in single(bits):
            found |= self._by_bit.get(one, 0)
        return found


def _named(events: Iterable[Happening]) -> int:
    """What some events use or make. Where nothing is wrong with a deallocation, those before free others."""
    found = 0
    for one in events:
        found |= one.bits if one.act is not Act.FREE else 0
    return found
