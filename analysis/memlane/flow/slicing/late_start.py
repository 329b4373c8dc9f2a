"""Where paths may begin for some buffers: in the block that dominates all in which they are named.

It may be decided in n blocks before that whether control comes there; following each of n buffers through these is a
square. What paths know when they come there is another matter; it makes no difference where nothing that is asked
behind is asked before, or handed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cached_property

from memlane.dialects.model import Guard
from memlane.flow.cfg.dominators import Trees, trees_of
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.scc import reachable
from memlane.flow.effects.effects import NO_EFFECTS
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.symbolic.types import is_pointer
from memlane.syntax.tree.tree import Block, Region, Value


class LateStarts:
    """Those of a region.

    Args:
        graph, region: the region of a function's op of which the blocks are; the latter is kept as an attribute.
    """

    def __init__(self, graph: Graph, region: Region) -> None:
        self.region = region
        self._graph, self._blocks = graph, region.blocks
        self._trees = trees_of(graph, region)

    @cached_property
    def _count(self) -> list[int]:
        """How many blocks each dominates."""
        count = [1] * len(self._blocks)
        for block, parent in reversed(self._trees.forth.parents.items()):
            count[parent] += count[block] if block != parent else 0
        return count

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

    def leading(self, first: Block, matter: Iterable[Block]) -> Mapping[Block, None]:
        """The blocks behind one from which control may come to some that it dominates."""
        before = self._trees.before
        found = reachable(matter, lambda block: before[block] if block is not first else ())
        return dict.fromkeys((first, *found))

    def way_to(self, first: Block) -> tuple[Edge, ...]:
        """From the start of the region to a block that control need not come to: as if it came there in any case."""
        return (Edge(first, None, (), Guard.ALWAYS, self._blocks[0].ops[-1]),)


class _Behind(Set[Block]):
    """See `LateStarts.behind`."""

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


def is_fixed(graph: Graph, value: Value) -> bool:
    """Whether a value is an address that is the same on all paths, as null is: by it alone nothing is decided."""
    op = value.op
    if op is None or op.operands or op.regions or not is_pointer(value.type) or graph.model(op) is None:
        return False
    return graph.call(op) is None and effects_at(graph, op) is NO_EFFECTS
