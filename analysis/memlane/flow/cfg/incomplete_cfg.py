"""Where the text of a function breaks off: a branch whose target is not written yet, as while a user types, or whose
operands do not match the arguments of its target; or a region that does not yet yield its results.

The missing code is unknown: a path that reaches it may be correct, whatever it has passed. Its position is unknown as
well: it may come between two operations of the existing blocks, so that neither certainly precedes the other.
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.flow.cfg.graph import Graph
from memlane.syntax.tree.tree import Block, Op, Region


def breaks_off(graph: Graph, block: Block) -> bool:
    """Whether control may go from the end of `block` to where the text does not say."""
    last = block.ops[-1] if block.ops else None
    if last is None or not last.successors:
        return graph.lacks_yield(block)
    model = graph.model(last)
    wanted = len(model.successors) if model is not None else 0
    edges = sum(edge.block is not None for edge in graph.written_exits(block))
    return len(last.successors) < wanted or edges < len(last.successors)


class Gaps:
    """Where blocks may still be put in: what is between two operations then, on some path."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._known: dict[Region, int] = {}

    def between(self, first: Op, second: Op) -> bool:
        """Whether a block to which one before it leads may still begin between two operations, in a region around; or
        another way through a region that only the first is in, past it."""
        around, others = dict(_around(first)), dict(_around(second))
        if any(region not in others and self._broken(region, op) for region, op in around.items()):
            return True
        return any(around.get(region, op) is not op and self._broken(region, op) for region, op in others.items())

    def _broken(self, region: Region, op: Op) -> bool:
        """Whether the text breaks off at the end of a block of `region` before the one that `op` is in."""
        first = self._known.get(region)
        if first is None:
            broken = (block.index for block in region.blocks if breaks_off(self._graph, block))
            first = self._known[region] = next(broken, len(region.blocks))
        return op.parent is not None and first < op.parent.index


def _around(op: Op) -> Iterator[tuple[Region, Op]]:
    """The regions around an operation, from the inside, each with the operation of its blocks that it is or is in."""
    while op.parent is not None:
        yield op.parent.region, op
        op = op.parent.region.op
