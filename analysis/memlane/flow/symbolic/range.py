"""Sets of integers: all between two bounds, but for some."""

from __future__ import annotations

from typing import NamedTuple

from memlane.flow.symbolic.limits import MAX_GAP

INFINITY = float("inf")


class Range(NamedTuple):
    """The integers from `low` to `high`, both inclusive, without `holes`."""

    low: float = -INFINITY
    high: float = INFINITY
    holes: frozenset[int] = frozenset()

    def cut(self, low: float, high: float) -> Range | None:
        """The part between two bounds (inclusive); None when nothing is left."""
        if low == high:
            inside = self.low <= low <= self.high and low not in self.holes
            return Range(low, low) if inside else None
        return _normal(Range(max(self.low, low), min(self.high, high), self.holes))

    def without(self, number: int) -> Range | None:
        """The range without one number; None when nothing is left."""
        if self.low < number < self.high:
            return Range(self.low, self.high, self.holes | {number})
        return _normal(Range(self.low, self.high, self.holes | {number}))

    def joined(self, other: Range) -> Range | None:
        """The integers of either, where as few are between them as can be said; None: there are more."""
        low, high = min(self.low, other.low), max(self.high, other.high)
        gap = range(0)
        first, second = sorted((self, other), key=lambda one: (one.low, one.high))
        if second.low > first.high + 1:
            if second.low - first.high > MAX_GAP:
                return None
            gap = range(int(first.high) + 1, int(second.low))
        holes = {hole for hole in self.holes if not other.has(hole)} | {h for h in other.holes if not self.has(h)}
        return Range(low, high, frozenset(holes.union(gap)))

    def has(self, number: int) -> bool:
        """Whether a number is one of them."""
        return self.low <= number <= self.high and number not in self.holes


def _normal(range_: Range) -> Range | None:
    low, high, holes = range_
    if not holes:
        return range_ if low <= high else None
    while low in holes:
        low += 1
    while high in holes:
        high -= 1
    if low > high:
        return None
    return Range(low, high, frozenset(hole for hole in holes if low < hole < high))
