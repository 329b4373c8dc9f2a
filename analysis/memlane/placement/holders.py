"""The operations with regions that placement looks into.

They are those in which a buffer is made, freed, handed over or used, but for loops that only use buffers from outside:
what is used in such a loop is live in all of it, as another round may come, and dies behind it. So the loop is one
operation like any other, which uses what is used in it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Set

from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.incomplete_ops import incomplete_ops
from memlane.flow.cfg.region_edges import comes_back
from memlane.placement.barriers import is_barring
from memlane.placement.mentions import Family
from memlane.syntax.tree.tree import Block, Op


def holders_of(graph: Graph, families: Collection[Family], never: Collection[Edge]) -> set[Op]:
    """The operations of a function to look into. `never`: the edges that no execution takes."""
    fixed, using = set[Block | None](), set[Block | None]()
    for family in families:
        fixed.update(op.parent for op in (*family.frees, *family.feeding, *family.made))
        fixed.update(root.block for root in family.bit if root.block is not None)
        fixed.update(use.op.parent for token in family.further for use in token.uses)
        using.update(op.parent for op in family.uses)
    found = {holder for block in fixed for holder in _around(graph, block)}
    for family in families:  # what defines a root as a result of its regions
        found.update(op for op in family.made if op.regions)
    whole = AtomicLoops(graph, found, never) if not any(family.begun for family in families) else None
    for block in using - fixed:
        around = [*_around(graph, block)]
        loop = whole.outermost(around) if whole is not None else None
        found.update(around if loop is None else around[around.index(loop) + 1 :])
    return found


def _around(graph: Graph, block: Block | None) -> Iterator[Op]:
    """The operations around a block in its function, from the inside out."""
    around = block.region.op if block is not None else None
    while around is not None and around is not graph.function:
        yield around
        around = around.parent.region.op if around.parent is not None else None


class AtomicLoops:
    """The loops that are one operation.

    Args:
        graph: the function.
        fixed: operations that have to be looked into in any case.
        never: the edges that no execution takes.
    """

    def __init__(self, graph: Graph, fixed: Set[Op], never: Collection[Edge]) -> None:
        self._graph = graph
        self._any = next(incomplete_ops(graph), None) is None
        exits = [name for name, model in graph.named_models.items() if model is not None and model.exits]
        ends = [*graph.stopping, *(op.parent for name in exits for op in graph.named[name])]
        ends += filter(None, map(self._block, never))
        self._apart = {*fixed, *(one for block in ends for one in _around(graph, block))}
        self._known: dict[Op, bool] = {}

    def _block(self, edge: Edge) -> Block | None:
        """The block to which an edge leads, or one in the operation that it leaves; None: it leads past that."""
        if edge.block is not None or edge.leaves is None or edge in self._graph.entries(edge.leaves):
            return edge.block
        return next((block for region in edge.leaves.regions for block in region.blocks), None)

    def outermost(self, around: Iterable[Op]) -> Op | None:
        """Of the operations around a use, from the inside out, the last loop that is one operation with all in it."""
        found: Op | None = None
        for one in around:
            if not self._any or one in self._apart or is_barring(self._graph, one):
                break
            if self._is_loop(one):
                found = one
        return found

    def _is_loop(self, op: Op) -> bool:
        known = self._known.get(op)
        if known is None:
            known = self._known[op] = all(comes_back(self._graph, region) for region in op.regions)
        return known
