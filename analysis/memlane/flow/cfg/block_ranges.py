"""From where to where control goes directly between the blocks of a body, by their numbers in the text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from memlane.flow.cfg.limits import MAX_SCANNED


class _Extreme:
    """The least or greatest number of any stretch of a row, in constant time: of each stretch whose length is a power
    of two it is kept once a longer one is asked for (a sparse table: Bender and Farach-Colton, "The LCA Problem
    Revisited", 2000)."""

    def __init__(self, row: list[int], which: Callable[..., int]) -> None:
        self.row = row
        self._which = which
        self._levels = [row]

    def of(self, first: int, last: int, default: int) -> int:
        """That of the numbers from `first` on, before `last`; `default` where there are none."""
        if last - first <= MAX_SCANNED:
            return self._which(self.row[first:last], default=default)
        level = (last - first).bit_length() - 1
        while len(self._levels) <= level:
            half = self._levels[-1]
            self._levels.append([*map(self._which, half, half[1 << len(self._levels) - 1 :])])
        found = self._levels[level]
        return self._which(found[first], found[last - (1 << level)])


class Bounds:
    """From where to where control goes directly, by the numbers of blocks in the text.

    Args:
        edges: pairs of blocks; none where some of these are never reached.
        count: of the blocks.
    """

    def __init__(self, edges: list[tuple[int, int]], count: int) -> None:
        self._some = bool(edges)
        lows, highs = ([count] * count, [count] * count), ([-1] * count, [-1] * count)
        for edge in edges:
            for low, high, block, other in zip(lows, highs, edge, reversed(edge), strict=True):
                low[block] = min(low[block], other)
                high[block] = max(high[block], other)
        self._lows = _Extreme(lows[0], min), _Extreme(lows[1], min)
        self._highs = _Extreme(highs[0], max), _Extreme(highs[1], max)
        self._back = [block for block, low in enumerate(lows[0]) if low <= block]

    def alone(self, first: int, last: int, shared: bool = False) -> bool:
        """Whether control enters the blocks from `first` to `last` at the start of that alone, and leaves the others
        of them at none of their ends. `shared`: or enters them at the start of `last`."""
        if not self._some or first >= last:
            return False
        (to, by), (until, since) = self._lows, self._highs
        end = last if shared else last + 1
        return (
            to.of(first, last, first) >= first
            and until.of(first, last, last) <= last
            and by.of(first + 1, end, first) >= first
            and since.of(first + 1, end, first) < last
        )

    def once(self, first: int, last: int) -> bool:
        """Whether control does not come from `first`, or from those up to `last`, to `first`."""
        return self._lows[0].of(first, last, last) > first

    def returned_to(self, block: int, last: int) -> int | None:
        """The first block to which control may come from `block`, or those up to `last`, by way of others, too; None:
        to none up to `block`."""
        lows, first = self._lows[0], block
        found = lows.of(block, last, last)
        if found > block:
            return None
        while found < first:
            first, found = found, lows.of(found, last, found)
        return first

    def returns(self, block: int, last: int) -> int | None:
        """The last block before `last` from which control may come back to one up to `block`, by way of others, too;
        None: from none from `block` on."""
        found: int | None = None
        for at in self._back[bisect_left(self._back, block) : bisect_left(self._back, last)]:
            if self._lows[0].row[at] <= (block if found is None else found):
                found = at
        return found
