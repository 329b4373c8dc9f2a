"""Following a hammock of a function (hammock.py) in place of all of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Set
from dataclasses import dataclass

from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import Origin
from memlane.flow.control.graph import Edge, Graph
from memlane.flow.control.incomplete_cfg import breaks_off
from memlane.flow.dataflow.events import Event, Pair, Point
from memlane.flow.dataflow.solver import Reached
from memlane.flow.dataflow.state import State
from memlane.flow.slicing.cfg_contraction import Roads
from memlane.flow.slicing.dispatch_slice import regions_of
from memlane.flow.slicing.pruned_slice import Direct
from memlane.flow.symbolic.scalar import Expr
from memlane.flow.typestate.explorer import Explorer
from memlane.syntax.tree.tree import Block, Op, Value


@dataclass(frozen=True, slots=True)
class Hammock:
    """Blocks that control enters at the start of `first` and leaves at the end of `last`. `shared`: it may enter that
    from elsewhere, too; no buffer is named there."""

    first: Block
    last: Block
    blocks: Set[Block]
    shared: bool = False

    def asks_within(self, block: Block) -> bool:
        """Whether what is asked at the end of a block decides how control goes on inside."""
        return block is not self.last and block in self.blocks


class Narrow(Direct):
    """A slice of a hammock.

    Attributes:
        hammock: where everything happens.
        open: what is asked here and elsewhere as well.
        taken: it is known that control comes there, with all that paths here may know.
    """

    __slots__ = ("hammock", "open", "taken")

    def __init__(self, graph: Graph, clusters: Iterable[Cluster], hammock: Hammock, roads: Roads | None) -> None:
        self.hammock = hammock
        self.open: set[Value] = set()
        self.taken = True
        super().__init__(graph, list(clusters), roads)

    @property
    def around(self) -> Set[Block]:
        """See `Direct.around`."""
        return self.hammock.blocks

    @property
    def passed(self) -> tuple[Block, ...]:
        """See `Direct.passed`."""
        return self.hammock.first, self.hammock.last

    def edges(self, ops: Collection[Op]) -> Iterator[Edge]:
        inner = regions_of(self._graph, ops)
        for op in ops:
            if op.regions and op is not self._graph.function:
                yield from self._graph.entries(op)
        for block in (*(block for region in inner for block in region.blocks), *self.blocks):
            if block is not self.hammock.last:
                yield from self.exits(block)

    def _sources(self, leaf: Value) -> Iterator[tuple[Expr, Op]]:
        hammock = self.hammock
        if leaf.block is None or leaf.block.index == 0 or leaf.block.region is not hammock.first.region:
            yield from super()._sources(leaf)
        elif leaf.block in hammock.blocks and self._comes_round(leaf, leaf.block):
            for block in filter(hammock.asks_within, hammock.blocks):
                for edge in self._graph.exits(block):
                    yield from self._bound(edge, leaf, edge.place)


class Within(Explorer):
    """An explorer of a slice that stays in the slice's hammock, where it is one of a hammock.

    Attributes:
        left: the states in which it comes to the end of it.
        retraceable: once all has been explored, steps that are taken again lead to the pairs that were reached.
    """

    left: list[State]
    retraceable = True

    def ends(self, block: Block) -> bool:
        """Whether paths end, or what is followed of them does, at the end of a block."""
        leaves_it = block.region is self._part.scope and not self._graph.goes_on(block)
        return leaves_it or self._goes_on(block) or breaks_off(self._graph, block)

    def _goes_on(self, block: Block) -> bool:
        """Whether control leaves a hammock at the end of a block, and goes on behind it."""
        part = self._part
        return isinstance(part, Narrow) and block is part.hammock.last and self._graph.goes_on(block)

    def whence(self, reached: Reached[Point, State]) -> Callable[[Event], tuple[Origin, Collection[Origin]]]:
        """What tells where the buffer of an event that has been seen was made, on the path to it and on any."""
        return lambda event: (event.origin, [event.origin])

    def told_apart(self, reached: Reached[Point, State]) -> int:
        """A lower bound of the pairs reached if all buffers are distinguished."""
        return len(reached.came_from)

    def starts(self) -> Iterator[Pair]:
        """See `Explorer.starts`."""
        self.left = []
        part = self._part
        for point, state in super().starts():
            yield (Point(part.hammock.first, 0) if isinstance(part, Narrow) else point), state

    def _leave(self, block: Block, state: State) -> Iterator[Pair]:
        if self._goes_on(block):
            self.left.append(state)
            self.log.ended = frozenset()
            return
        yield from super()._leave(block, state)
        if breaks_off(self._graph, block):
            self.log.ended = frozenset()
