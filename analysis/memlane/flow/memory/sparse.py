"""The part of a function that is followed for some buffers, past all the regions in which nothing happens to them.

Of an op whose many regions are executed in any order (`control/hubs.py`) those are one with the place between them:
control comes back there, and finds what it left. What lives there lives in each of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from memlane.flow.alias.alias import Cluster
from memlane.flow.control.graph import Edge, Graph
from memlane.flow.control.hubs import Hub, ThroughHubs
from memlane.flow.memory.intervals import Besides, Line, Until
from memlane.flow.scalars.amounts import Amount, maximal
from memlane.flow.scalars.scalar import Expr
from memlane.flow.slices.slice import Slice
from memlane.flow.states.events import Point
from memlane.syntax.tree.tree import Block, Op


class Sparse(Slice):
    """See the module; all of it lies in the function's body.

    Args:
        graph, clusters, wanted, plain, also: see `Slice`.
    """

    __slots__ = ("_busy", "_hubs", "_onward")

    def __init__(
        self,
        graph: Graph,
        clusters: Collection[Cluster],
        wanted: Iterable[Expr] = (),
        plain: bool = False,
        also: Iterable[Op] = (),
    ) -> None:
        self._hubs: Mapping[Op, Hub] = graph.hubs if isinstance(graph, ThroughHubs) else {}
        self._busy: dict[Block, list[int]] = {}
        self._onward: dict[Block, tuple[Edge, ...]] = {}
        super().__init__(graph, clusters, whole=True, wanted=wanted, plain=plain, also=also)
        if self._hubs:
            self._find_busy()

    def _find_busy(self) -> None:
        found: dict[Op, set[int]] = {op: set() for op in self.position if op in self._hubs}
        values = (value.block for value in (*self.root, *self.scalars) if value.block is not None)
        for block in (*self.stops, *values):
            if block.region.op in found:
                found[block.region.op].add(block.region.index)
        for op, indices in found.items():
            hub = self._hubs[op]
            results = {*self._graph.results(op)}
            # What each of them hands on is another matter.
            every = not results.isdisjoint(self.root) or not results.isdisjoint(self.scalars)
            busy = [*range(len(op.regions))] if every else sorted(indices)
            idle = () if len(busy) == len(op.regions) else (hub.to,)
            self._busy[hub.block] = busy
            self._onward[hub.block] = (*(hub.onward[index] for index in busy), *idle)

    def exits(self, block: Block) -> tuple[Edge, ...]:
        """See `Slice.exits`."""
        return self._onward[block] if block in self._onward else super().exits(block)

    def edges(self, ops: Collection[Op]) -> Iterator[Edge]:
        """See `Slice.edges`; nothing is asked where the next of such regions is entered."""
        yield from super().edges([op for op in ops if op not in self._hubs] if self._hubs else ops)
        around = {op.parent.region for op in ops if op.parent is not None} if self._hubs else ()
        for block in (block for region in around if region.op in self._hubs for block in region.blocks):
            yield from self.exits(block)

    def besides(self, line: Line, point: Point) -> Besides:
        """The most that lives on the line at a point, behind the stop before it."""
        places = self.places(line, point) or [line.segment(point.block, (), 0)]
        found = [line.between(*place) for place in places]
        used, named = Until.USED, Until.NAMED
        return found[0] if len(found) == 1 else (_most(found, Until.FREED), _most(found, used), _most(found, named))

    def places(self, line: Line, point: Point) -> list[tuple[int, int]]:
        """The positions at which control is at a point, behind the stop before it: see `Line.segment`. There are none
        between regions of which each is followed."""
        busy = self._busy.get(point.block)
        if busy is None:
            return [line.segment(point.block, self.stops.get(point.block, ()), point.stop)]
        regions = point.block.region.op.regions
        around = zip((-1, *busy), (*busy, len(regions)), strict=True)
        runs = ((before + 1, after - 1) for before, after in around if after - before > 1)
        return [
            (line.position[regions[first].blocks[0].ops[0]] - 1, line.end[regions[last].blocks[-1].ops[-1]])
            for first, last in runs
        ]


def _most(found: Iterable[Besides], until: Until) -> tuple[Amount, ...]:
    return maximal(amount for besides in found for amount in besides[until])
