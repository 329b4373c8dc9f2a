"""Where a value can be named: which of a buffer's names a deallocation at some place may use."""

from __future__ import annotations

from collections.abc import Callable

from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import defining_block
from memlane.flow.dataflow.events import Point
from memlane.flow.effects.aggregate_buffers import is_written
from memlane.flow.slicing.body_blocks import BodyBlocks
from memlane.syntax.names.dominance import dominators
from memlane.syntax.tree.tree import Block, Op, Region, Value


class Scope:
    """Answers for one function.

    Args:
        graph: its control flow.
        stops: per block the operations between which points lie.
        body: of the function, where they are known.
    """

    def __init__(self, graph: Graph, stops: dict[Block, list[Op]], body: BodyBlocks | None = None) -> None:
        self._body = body
        self._graph = graph
        self._stops = stops
        self._orders: dict[Region, Callable[[int, int], bool]] = {}

    def sees(self, point: Point, value: Value) -> bool:
        """Whether `value` is defined at `point` on every path that leads there."""
        stops = self._stops.get(point.block, [])
        return self._defined(value, point.block, stops[point.stop - 1].index + 1 if point.stop else 0)

    def sees_before(self, op: Op, value: Value) -> bool:
        """Whether `value` is defined on every path that leads to `op`."""
        return op.parent is not None and self._defined(value, op.parent, op.index)

    def _defined(self, value: Value, block: Block, before: int) -> bool:
        """Whether the text defines a value in a block before its op of number `before`: it has no names of fields."""
        if not is_written(value):
            return False
        found = self._around(block, before, defining_block(value))
        if found is None:
            return False
        block, before = found
        if block is defining_block(value):
            return value.op is None or value.op.index < before
        return self._dominates(defining_block(value), block)

    def once(self, point: Point, value: Value) -> bool:
        """Whether control comes to `point` at most once for each time `value` is defined, loops being what they are."""
        target = defining_block(value)
        block = point.block
        while target is not None and block.region is not target.region:
            if self._repeats(block):
                return False
            if block.region.op.parent is None:
                return False
            block = block.region.op.parent
        cycle = self._graph.cycle(block)
        return not cycle or target in cycle

    def _repeats(self, block: Block) -> bool:
        region = block.region
        if len(region.blocks) == 1:
            return self._graph.may_repeat(region)
        outside = any(
            edge.block is not None and edge.block.region is not region
            for b in region.blocks
            for edge in self._graph.exits(b)
        )
        return outside or bool(self._graph.cycle(block))

    def _around(self, block: Block, before: int, target: Block | None) -> tuple[Block, int] | None:
        """The block of `target`'s region around a place, and the position in it of the first op after the place."""
        while target is not None:
            if block.region is target.region:
                return block, before
            op = block.region.op
            if op.parent is None or op is self._graph.function:
                return None
            block, before = op.parent, op.index
        return None

    def before(self, block: Block) -> Block | None:
        """The last block of the region that all paths to `block` pass before it."""
        found: Block | None = None
        for other in block.region.blocks:
            passed = other is not block and self._dominates(other, block)
            if passed and (found is None or self._dominates(found, other)):
                found = other
        return found

    def _dominates(self, first: Block | None, second: Block) -> bool:
        if first is None:
            return False
        region = second.region
        if self._body is not None and self._body.of(region) and self._body.of(first.region):
            return self._body.dominates(first, second)
        relation = self._orders.get(region)
        if relation is None:
            edges = [
                (block.index, edge.block.index)
                for block in region.blocks
                for edge in self._graph.exits(block)
                if edge.block is not None and edge.block.region is region
            ]
            relation = self._orders[region] = dominators(len(region.blocks), edges)
        return relation(first.index, second.index)
