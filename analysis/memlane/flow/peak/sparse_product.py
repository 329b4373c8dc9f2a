"""The part of a function that is followed for some buffers, where that lies, and what lives beside them.

What lives between regions that are executed in any order (`slicing/dispatch_slice.py`) lives in each that paths go
past, and what lives where control goes from one block on to the next that matters (`slicing/pruned_slice.py`), in all
between these.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from memlane.flow.alias.alias import Cluster
from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.events import Point
from memlane.flow.peak.live_intervals import Besides, Timeline, Until
from memlane.flow.slicing.body_blocks import BodyBlocks
from memlane.flow.slicing.late_start import LateStarts
from memlane.flow.slicing.pruned_slice import Direct
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.amounts import Amount, maximal
from memlane.flow.symbolic.scalar import Expr
from memlane.syntax.tree.tree import Block, Op

Place = tuple[int, int]
"""Positions on a line, both inclusive."""


class Sparse(Slice):
    """See the module; all of it lies in the function's body.

    Args:
        graph, clusters, wanted, plain, also: see `Slice`.
    """

    lets_go = False  # what has a name does not add up

    __slots__ = ()

    def __init__(
        self,
        graph: Graph,
        clusters: Collection[Cluster],
        wanted: Iterable[Expr] = (),
        plain: bool = False,
        also: Iterable[Op] = (),
    ) -> None:
        super().__init__(graph, clusters, whole=True, wanted=wanted, plain=plain, also=also)


class Short(Direct):
    """The same of some clusters alone, past all blocks in which nothing happens to them.

    Args:
        body: the blocks of the function.
        clusters, plain, late: see `Direct`.
    """

    lets_go = False

    returning = False

    __slots__ = ("_body", "_matter")

    def __init__(
        self,
        body: BodyBlocks,
        clusters: Collection[Cluster],
        plain: bool = False,
        late: LateStarts | None = None,
    ) -> None:
        self._body = body
        super().__init__(body.graph, clusters, body.roads, whole=True, plain=plain, late=late)
        self._matter = sorted(block.index for block in self.blocks)

    def gone_past(self, line: Timeline, block: Block) -> dict[Block | None, list[Place]]:
        """The positions in the blocks that control goes past from the end of one on, by the next that it comes to."""
        found: dict[Block | None, list[Place]] = {}
        for target in {edge.block: None for edge in self._graph.exits(block)}:
            if target is not None and not self.stays(target):
                places, after = self._past(line, target)
                found.setdefault(after, []).extend(places)
        return {after: [*_joined(sorted(places))] for after, places in found.items()}

    def _past(self, line: Timeline, block: Block) -> tuple[list[Place], Block | None]:
        """The positions in the blocks from one on before the next that matters, and that; None where control comes to
        none."""
        inner = block.region is not self.scope
        stretch = None if inner else self._body.stretch(block, self._matter)
        if stretch is not None:
            last, after = stretch
            return [(line.segment(block, (), 0)[0], line.segment(last, (), 0)[1])], after
        past, after = self._walked(block)
        return [line.segment(one, (), 0) for one in past], after

    def _walked(self, block: Block) -> tuple[set[Block], Block | None]:
        """The same blocks, found one by one."""
        past, after, pending = set[Block](), None, list[Block | None]([block])
        while pending:
            one = pending.pop()
            if one is None or one in past:
                continue
            if self.stays(one):
                after = one
            else:
                past.add(one)
                pending.extend(edge.block for edge in self._graph.exits(one))
        return past, after


def besides(line: Timeline, part: Slice, point: Point) -> Besides:
    """The most that lives on the line at a point of a slice, behind the stop before it."""
    among = places(line, part, point) or [line.segment(point.block, (), 0)]
    found = [line.between(*place) for place in among]
    used, named = Until.USED, Until.NAMED
    return found[0] if len(found) == 1 else (_most(found, Until.FREED), _most(found, used), _most(found, named))


def places(line: Timeline, part: Slice, point: Point) -> list[Place]:
    """The positions at which control is at a point of a slice, behind the stop before it: see `Timeline.segment`. There
    are none between regions of which each is followed."""
    place = part.between.get(point.block)
    if place is None:
        return [line.segment(point.block, part.stops.get(point.block, ()), point.stop)]
    regions = point.block.region.op.regions
    around = zip((-1, *place.busy), (*place.busy, len(regions)), strict=True)
    runs = ((before + 1, after - 1) for before, after in around if after - before > 1)
    return [
        (line.position[regions[first].blocks[0].ops[0]] - 1, line.end[regions[last].blocks[-1].ops[-1]])
        for first, last in runs
    ]


def _most(found: Iterable[Besides], until: Until) -> tuple[Amount, ...]:
    return maximal(amount for besides in found for amount in besides[until])


def _joined(found: Iterable[Place]) -> Iterator[Place]:
    """Places in their order, those that follow on each other as one."""
    last: Place | None = None
    for place in found:
        if last is not None and place[0] <= last[1] + 1:
            last = last[0], max(last[1], place[1])
            continue
        if last is not None:
            yield last
        last = place
    if last is not None:
        yield last
