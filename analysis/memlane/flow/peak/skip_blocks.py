"""The blocks that paths go past between those that matter.

Where they follow one another in the text, they are found by looking at where that stretch is entered and left: who
walks through the blocks for each of n buffers does so through n blocks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from operator import attrgetter

from memlane.flow.cfg.block_ranges import Bounds
from memlane.flow.cfg.dominators import trees_of
from memlane.flow.cfg.graph import Graph
from memlane.syntax.tree.tree import Block, Region

_INDEX = attrgetter("index")


class SkippedBlocks:
    """Those of a region.

    Args:
        graph, region: the region of a function's op of which the blocks are.
    """

    def __init__(self, graph: Graph, region: Region) -> None:
        self._blocks, count = region.blocks, len(region.blocks)
        trees = trees_of(graph, region)
        self._before = trees.before
        # As if the last block were followed by a virtual one, which needs no edges.
        self._bounds = Bounds(trees.edges if len(trees.forth.parents) == count else [], count + 1)

    def stretch(self, block: Block, stay: Sequence[int]) -> tuple[Block, Block | None] | None:
        """The last of the blocks through which control comes from one on before the next that matters, all between them
        being such, and that next one; None: it is not that simple.

        Args:
            stay: the numbers of the blocks that matter, in order.
        """
        first = block.index
        at = bisect_left(stay, first)
        stop = stay[at] if at < len(stay) else len(self._blocks)
        last = self._blocks[stop - 1]
        if stop <= first or not (block.ops and last.ops) or not self._bounds.alone(first, stop, shared=True):
            return None
        after = self._blocks[stop] if stop < len(self._blocks) else None
        return last, after if after is not None and self._comes(first, after) else None

    def _comes(self, first: int, after: Block) -> bool:
        """Whether control comes to a block directly from the ones before it in the text, up to `first`."""
        before = self._before[after]
        at = bisect_left(before, first, key=_INDEX)
        return at < len(before) and before[at].index < after.index
