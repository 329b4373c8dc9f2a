"""Block skipping for the analysis of where buffers die: edges past all blocks that name no buffer, and in which none
dies.

A buffer dies behind its last use on a path, or where the path parts from those on which it is used again: at the start
of a block to which control comes by a decision. So wherever ways part, control comes to all the blocks behind it.
(Edges out of live ranges: Knoop, Rüthing and Steffen, "Partial dead code elimination", 1994.) Where the same is asked
elsewhere the paths from there on know the answer, and so control comes there, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from memlane.flow.alias.alias import Cluster
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.slicing.cfg_contraction import Roads
from memlane.flow.slicing.pruned_slice import Direct
from memlane.syntax.tree.tree import Block, Op


class Deaths(Direct):
    """A slice of which paths go past blocks in which no buffer is named or dies.

    Args: see `Direct`.
        asking: paths know what is asked elsewhere; else there may be more than are taken.

    Attributes:
        open: something that paths do not know is asked elsewhere.
    """

    __slots__ = ("_asking", "open")

    def __init__(self, graph: Graph, clusters: Collection[Cluster], roads: Roads, asking: bool = True) -> None:
        self._asking, self.open = asking, False
        super().__init__(graph, clusters, roads)

    def passes(self, edge: Edge) -> bool:
        """Whether an edge skips blocks."""
        source = edge.place.parent
        return source is not None and edge.block is not None and edge not in self._graph.exits(source)

    def _shorten(self, ops: set[Op], stay: set[Block]) -> None:
        while True:
            super()._shorten(ops, stay)
            more = {block for parting in self._partings() for block in self._concerned_by(parting)} - stay
            if not more:
                return
            stay |= more

    def _partings(self) -> Iterator[Block]:
        """The blocks behind which paths go several ways."""
        return (block for block, edges in self._ways.items() if len({edge.block for edge in edges}) > 1)

    def _concerned_by(self, parting: Block) -> Iterator[Block]:
        """The blocks behind one where ways part, and where the same is asked, with those behind them."""
        yield from _behind(self._graph, parting)
        asked = self._roads.asking(parting) if self._roads is not None else ()
        for block in asked if self._asking else ():
            yield block
            yield from _behind(self._graph, block)
        self.open = self.open or (not self._asking and any(block is not parting for block in asked))


def _behind(graph: Graph, block: Block) -> Iterator[Block]:
    """The blocks of the same region to which control may go from the end of one."""
    return (e.block for e in graph.exits(block) if e.block is not None and e.block.region is block.region)
