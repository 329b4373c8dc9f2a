"""Which names get their buffers from which others, where control goes from region to region and block to block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.syntax.tree.tree import Block, Op, Value


class Handing:
    """The forwarding of values along edges in one function."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._into: dict[Value, list[Value | None]] = {}
        self._entering: Counter[Block] = Counter()
        self._known: set[Op] = set()
        self._given: dict[Edge, dict[Value | None, list[Value]]] = {}

    def into(self, value: Value) -> list[Value | None]:
        """What a block argument, or a result of an op with regions, may be bound to; None: unknown."""
        holder = value.op if value.op is not None else value.block.region.op if value.block is not None else None
        assert holder is not None
        self._learn(holder)
        return self._into.get(value, [])

    def entering(self, block: Block) -> int:
        """How many edges lead to a block."""
        self._learn(block.region.op)
        return self._entering[block]

    def given(self, edge: Edge) -> dict[Value | None, list[Value]]:
        """What receives each value that an edge forwards."""
        found = self._given.get(edge)
        if found is None:
            found = self._given[edge] = {}
            for source, receiver in edge.bindings:
                found.setdefault(source, []).append(receiver)
        return found

    def _learn(self, holder: Op) -> None:
        if holder in self._known:
            return
        self._known.add(holder)
        for edge in self._edges(holder):
            if edge.block is not None:
                self._entering[edge.block] += 1
            for source, receiver in edge.bindings:
                self._into.setdefault(receiver, []).append(source)

    def _edges(self, holder: Op) -> Iterator[Edge]:
        if holder is not self._graph.function:
            yield from self._graph.entries(holder)
        for region in holder.regions:
            for block in region.blocks:
                yield from self._graph.exits(block)
