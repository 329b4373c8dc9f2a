"""The operations with regions that placement looks into.

They are those in which a buffer is made, freed, handed over or used, but for loops that only use buffers from outside:
what is used in such a loop is live in all of it, as another round may come, and dies behind it. So the loop is one
operation like any other, which uses what is used in it.
"""

from __future__ import annotations

from collections.abc import Collection, Set

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
        fixed.update(op.parent for op in (*family.frees, *family.conditional, *family.feeding, *family.made))
        fixed.update(root.block for root in family.bit if root.block is not None)
        fixed.update(use.op.parent for token in family.further for use in token.uses)
        using.update(op.parent for op in family.uses)
    found = set[Op]()
    for block in fixed:
        _add_around(graph, block, found)
    for family in families:  # what defines a root as a result of its regions
        found.update(op for op in family.made if op.regions)
    whole = AtomicLoops(graph, found, never) if not any(family.begun for family in families) else None
    for block in using - fixed:
        loop = whole.outermost(block) if whole is not None else None
        _add_around(graph, block if loop is None else loop.parent, found)
    return found


def _holder(graph: Graph, block: Block | None) -> Op | None:
    """The operation of a function that has a block; None: it is the function."""
    holder = block.region.op if block is not None else None
    return holder if holder is not graph.function else None


def _add_around(graph: Graph, block: Block | None, found: set[Op]) -> None:
    """Add the operations around a block; with an operation those around it are there."""
    holder = _holder(graph, block)
    while holder is not None and holder not in found:
        found.add(holder)
        holder = _holder(graph, holder.parent)


class AtomicLoops:
    """The loops that are one operation.

    Args:
        graph: the function.
        fixed: operations that have to be looked into in any case, with those around them.
        never: the edges that no execution takes.
    """

    def __init__(self, graph: Graph, fixed: Set[Op], never: Collection[Edge]) -> None:
        self._graph = graph
        self._any = next(incomplete_ops(graph), None) is None
        exits = [name for name, model in graph.named_models.items() if model is not None and model.exits]
        ends = [*graph.stopping, *(op.parent for name in exits for op in graph.named[name])]
        ends += filter(None, map(self._block, never))
        self._apart = {*fixed}
        for block in ends:
            _add_around(graph, block, self._apart)
        self._outermost: dict[Op, Op | None] = {}

    def _block(self, edge: Edge) -> Block | None:
        """The block to which an edge leads, or one in the operation that it leaves; None: it leads past that."""
        if edge.block is not None or edge.leaves is None or edge in self._graph.entries(edge.leaves):
            return edge.block
        return next((block for region in edge.leaves.regions for block in region.blocks), None)

    def outermost(self, block: Block | None) -> Op | None:
        """The outermost loop around a block that is one operation with all in it, if any."""
        holder, passed = _holder(self._graph, block) if self._any else None, list[Op]()
        while holder is not None and holder not in self._outermost:
            passed.append(holder)
            holder = _holder(self._graph, holder.parent)
        found = self._outermost[holder] if holder is not None else None
        for one in reversed(passed):
            if one in self._apart or is_barring(self._graph, one):
                found = None
            elif found is None and all(comes_back(self._graph, region) for region in one.regions):
                found = one
            self._outermost[one] = found
        return found
