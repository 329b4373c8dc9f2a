"""The blocks that paths go past: between those that matter, and before the first of them.

The former, where they follow one another in the text, are found by looking at where that stretch is entered and left:
who walks through the blocks for each of n buffers does so through n blocks. The latter are all that the first does not
dominate, though it may be decided in n of them whether control comes to it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence, Set
from operator import attrgetter

from memlane.dialects.model import Guard
from memlane.flow.control.dominators import Trees, trees_of
from memlane.flow.control.graph import Edge, Graph
from memlane.flow.typestate.block_ranges import Bounds
from memlane.syntax.tree.tree import Block, Region

_INDEX = attrgetter("index")


class SkippedBlocks:
    """Those of a region.

    Args:
        graph, region: the region of a function's op of which the blocks are.
    """

    def __init__(self, graph: Graph, region: Region) -> None:
        self._blocks, count = region.blocks, len(region.blocks)
        self._graph = graph
        trees = self._trees = trees_of(graph, region)
        self._before = trees.before
        self._count = [1] * count
        """How many blocks each dominates."""
        for block, parent in reversed(trees.forth.parents.items()):
            self._count[parent] += self._count[block] if block != parent else 0
        # As if the last block were followed by a virtual one, which needs no edges.
        self._bounds = Bounds(trees.edges if len(trees.forth.parents) == count else [], count + 1)

    def first(self, matter: Iterable[Block]) -> Block | None:
        """The block that dominates all that matter, and to which control does not come back; None: it is that by which
        the region is entered, or no such block exists."""
        found = self._trees.forth.meet([block.index for block in matter])
        while found and self._graph.cycle(self._blocks[found]):
            found = self._trees.forth.parents[found]
        return self._blocks[found] if found else None

    def behind(self, first: Block) -> Set[Block]:
        """The blocks that one dominates, and that by which the region is entered."""
        return _Behind(self._blocks, self._trees, first.index, self._count[first.index] + 1)

    def way_to(self, first: Block) -> tuple[Edge, ...]:
        """From the start of the region to a block that control need not come to: as if it came there in any case."""
        return (Edge(first, None, (), Guard.ALWAYS, self._blocks[0].ops[-1]),)

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


class _Behind(Set[Block]):
    """See `SkippedBlocks.behind`."""

    __slots__ = ("_blocks", "_first", "_length", "_trees")

    def __init__(self, blocks: list[Block], trees: Trees, first: int, length: int) -> None:
        self._blocks, self._trees, self._first, self._length = blocks, trees, first, length

    def __contains__(self, block: object) -> bool:
        if not isinstance(block, Block) or block.region is not self._blocks[0].region:
            return False
        return block.index == 0 or self._trees.forth.dominates(self._first, block.index)

    def __iter__(self) -> Iterator[Block]:
        return (block for block in self._blocks if block in self)

    def __len__(self) -> int:
        return self._length
