"""The dominator tree of blocks that are known by number: which of them has to be passed before others. 0 is the root.

Of the edges turned round it is the tree of post-dominators.
"""

from __future__ import annotations

from memlane.syntax.names.dominance import dominator_tree, relation


class Dominators:
    """See the module.

    Args:
        count: how many blocks there are.
        edges: pairs (from, to) of their numbers.

    Attributes:
        parents: the nearest dominator of each block that is reached, but the root.
        dominates: whether the first of two blocks dominates the second.
    """

    def __init__(self, count: int, edges: list[tuple[int, int]]) -> None:
        self.parents = dominator_tree(count, edges)
        self.dominates = relation(self.parents)
        self._depth = {0: 0}
        for block in self.parents:
            path: list[int] = []
            while block not in self._depth:
                path.append(block)
                block = self.parents[block]
            for one in reversed(path):
                self._depth[one] = self._depth[self.parents[one]] + 1

    def meet(self, blocks: list[int]) -> int | None:
        """The nearest block that dominates all of some; None: one is never reached."""
        if any(block not in self._depth for block in blocks):
            return None
        found = min(blocks, key=self._depth.__getitem__)
        while not all(self.dominates(found, other) for other in blocks):
            found = self.parents[found]
        return found
