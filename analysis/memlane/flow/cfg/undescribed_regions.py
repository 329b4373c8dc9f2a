"""Regions of which no description says when they run, and the buffers that cross their border.

Such a region may run any number of times, or not at all; the operation around it may pass anything to its block
arguments, and give what its terminator names as its results. What is known of a buffer that goes in or out of one is
therefore a guess. This is the one notion of that: analysis, certainty and repairs ask it here.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from memlane.dialects.model import OpModel
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import defining_block
from memlane.syntax.tree.tree import Block, Op, Region, Value, starts_at


def is_undetermined(model: OpModel | None) -> bool:
    """Whether no description says when the regions of an op run, if it has any. Those of functions and modules run at
    other times."""
    return model is None or (model.regions is None and model.function is None and not model.symbol_table)


class Borders:
    """The undetermined regions of one function.

    Attributes:
        some: whether there may be any, or a branch that no description explains.
    """

    __slots__ = ("_around", "_graph", "some")

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._around: dict[Region, Op | None] = {graph.function.regions[0]: None} if graph.function.regions else {}
        self.some = any(
            any(op.regions or (model is None and op.successors) for op in graph.named[name] if op is not graph.function)
            for name, model in graph.named_models.items()
            if is_undetermined(model)
        )

    def crossed(self, values: Iterable[Value]) -> Op | None:
        """The first op across the border of whose regions a buffer with these names flows; None: no such op."""
        inside: set[Op | None] = set()
        for value in values:
            if (handing := self._handing(value)) is not None:
                return handing
            inside.add(self._outside_of(defining_block(value)))
            inside.update(self._outside_of(use.op.parent) for use in value.uses)
        found = sorted((op for op in inside if op is not None), key=starts_at)
        if len(inside) < 2:
            return None
        held = None not in inside and all(op.span.end <= found[0].span.end for op in found)
        return found[1] if held else found[0]

    def _handing(self, value: Value) -> Op | None:
        """The op without a model that may pass on a value, or gives it."""
        if value.block is not None and not value.block.index and self._is_unknown(value.block.region.op):
            return value.block.region.op
        if value.op is not None and value.op.regions and self._is_unknown(value.op):
            return value.op
        users = [use.op for use in value.uses]
        given = (op for op in users if (op.regions or op.successors) and self._is_unknown(op))
        ended = (op.parent.region.op for op in users if op.parent is not None and self._ends(op, op.parent))
        return next(chain(given, ended), None)

    def _is_unknown(self, op: Op) -> bool:
        return op is not self._graph.function and self._graph.models.of(op.name) is None

    def _ends(self, op: Op, block: Block) -> bool:
        """Whether an op may hand its operands to an op around it of which that is not described."""
        if op is not block.ops[-1] or op.successors or not self.is_undetermined(block.region.op):
            return False
        return self._graph.ends_region(op)

    def is_undetermined(self, op: Op) -> bool:
        """Whether no description says when the regions of an op in the function run, if it has any."""
        return bool(op.regions) and op is not self._graph.function and is_undetermined(self._graph.models.of(op.name))

    def _outside_of(self, block: Block | None) -> Op | None:
        """The innermost op with an undetermined region around a block."""
        way: list[Region] = []
        found: Op | None = None
        while block is not None:
            region = block.region
            if region in self._around:
                found = self._around[region]
                break
            way.append(region)
            if self.is_undetermined(region.op):
                found = region.op
                break
            block = region.op.parent if region.op is not self._graph.function else None
        self._around.update(dict.fromkeys(way, found))
        return found
