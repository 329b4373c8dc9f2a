"""The part of a function that is followed for some buffers, and what lives beside them.

What lives between regions that are executed in any order (`slices/between.py`) lives in each that paths go past.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from memlane.flow.alias.alias import Cluster
from memlane.flow.control.graph import Graph
from memlane.flow.memory.intervals import Besides, Line, Until
from memlane.flow.scalars.amounts import Amount, maximal
from memlane.flow.scalars.scalar import Expr
from memlane.flow.slices.slice import Slice
from memlane.flow.states.events import Point
from memlane.syntax.tree.tree import Op


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

    def besides(self, line: Line, point: Point) -> Besides:
        """The most that lives on the line at a point, behind the stop before it."""
        places = self.places(line, point) or [line.segment(point.block, (), 0)]
        found = [line.between(*place) for place in places]
        used, named = Until.USED, Until.NAMED
        return found[0] if len(found) == 1 else (_most(found, Until.FREED), _most(found, used), _most(found, named))

    def places(self, line: Line, point: Point) -> list[tuple[int, int]]:
        """The positions at which control is at a point, behind the stop before it: see `Line.segment`. There are none
        between regions of which each is followed."""
        place = self.between.get(point.block)
        if place is None:
            return [line.segment(point.block, self.stops.get(point.block, ()), point.stop)]
        regions = point.block.region.op.regions
        around = zip((-1, *place.busy), (*place.busy, len(regions)), strict=True)
        runs = ((before + 1, after - 1) for before, after in around if after - before > 1)
        return [
            (line.position[regions[first].blocks[0].ops[0]] - 1, line.end[regions[last].blocks[-1].ops[-1]])
            for first, last in runs
        ]


def _most(found: Iterable[Besides], until: Until) -> tuple[Amount, ...]:
    return maximal(amount for besides in found for amount in besides[until])
