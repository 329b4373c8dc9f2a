"""From where to where control goes directly between the blocks of a body, by their numbers in the text."""

from __future__ import annotations

from bisect import bisect_left


class Bounds:
    """From where to where control goes directly, by the numbers of blocks in the text.

    Args:
        edges: pairs of blocks; none where some of these are never reached.
        count: of the blocks.
    """

    def __init__(self, edges: list[tuple[int, int]], count: int) -> None:
        self._some = bool(edges)
        self._lows = [count] * count, [count] * count
        self._highs = [-1] * count, [-1] * count
        for edge in edges:
            for low, high, block, other in zip(self._lows, self._highs, edge, reversed(edge), strict=True):
                low[block] = min(low[block], other)
                high[block] = max(high[block], other)
        self._back = [block for block, low in enumerate(self._lows[0]) if low <= block]

    def alone(self, first: int, last: int, shared: bool = False) -> bool:
        """Whether control enters the blocks from `first` to `last` at the start of that alone, and leaves the others
        of them at none of their ends. `shared`: or enters them at the start of `last`."""
        if not self._some or first >= last:
            return False
        (to, by), (until, since) = self._lows, self._highs
        end = last if shared else last + 1
        return (
            min(to[first:last]) >= first
            and max(until[first:last]) <= last
            and min(by[first + 1 : end], default=first) >= first
            and max(since[first + 1 : end], default=first) < last
        )

    def once(self, first: int, last: int) -> bool:
        """Whether control does not come from `first`, or from those up to `last`, to `first`."""
        return min(self._lows[0][first:last], default=last) > first

    def returns(self, block: int, last: int) -> int | None:
        """The last block before `last` from which control may come back to one up to `block`, by way of others, too;
        None: from none from `block` on."""
        found: int | None = None
        for at in self._back[bisect_left(self._back, block) : bisect_left(self._back, last)]:
            if self._lows[0][at] <= (block if found is None else found):
                found = at
        return found
