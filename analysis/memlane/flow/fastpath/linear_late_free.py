"""Late deallocations of buffers that are forwarded, where control and the buffer evidently reach them.

Followers of all paths know which conditions exclude each other. Here as many are allowed as cannot: one flag that may
be any, and loops that may run as often as they like.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memlane.dialects.model import Guard
from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.forwarding import Handing
from memlane.flow.alias.late_frees import LateFree
from memlane.flow.alias.origin import Origin
from memlane.flow.control.graph import Edge, Graph
from memlane.flow.control.trip_count import TripOf
from memlane.flow.symbolic.scalar import Expr, may_be_either
from memlane.syntax.tree.tree import Block, Op, Value


class LinearLateness:
    """The buffers of one cluster."""

    def __init__(self, graph: Graph, cluster: Cluster, handing: Handing) -> None:
        self._graph = graph
        self._root: Mapping[Value, Value] = cluster.root
        self._handing = handing
        self._origins = {origin.value: origin for origin in cluster.origins}

    def of(self, freed: Op, root: Value, start: int, last: int) -> tuple[LateFree, ...] | None:
        """What is to be said of a deallocation; None where that takes more than a look.

        Args:
            root: the name the buffer has there. `start`: the index in its block from which on it is not needed.
            last: the index of the last op that may name the buffer before it; -1: none.
        """
        block = freed.parent
        assert block is not None
        work = self._graph.work(block, start, freed.index)
        if work.first is None:
            return ()
        origin = self._origin(root, block) if last < start else None
        if origin is None:
            return None
        return (LateFree(freed, origin, block.ops[start - 1] if start else None, work.operations, work.first),)

    def _origin(self, root: Value, block: Block) -> Origin | None:
        """The nearest buffer that `root` may stand for in `block`, where it plainly gets there."""
        own = self._origins.get(root)
        if own is not None:
            return own if self._together([block]) else None
        sources = {self._root.get(value) for value in self._handing.into(root) if value is not None}
        near = [self._origins[value] for value in sources if value in self._origins]
        if not near:
            return None
        origin = min(near, key=self._handing.nearness(root, self._root))
        made = origin.value.op
        assert made is not None and made.parent is not None
        for edge in self._handing.edges_to(root):
            if any(
                value is not None and self._root.get(value) is origin.value for value, to in edge.bindings if to is root
            ):
                place = edge.place.parent
                if place is not None and self._goes(edge, root) and self._together([block, made.parent, place]):
                    return origin
        return None

    def _goes(self, edge: Edge, root: Value) -> bool:
        """Whether control plainly takes the edge to `root` at some time."""
        holder = root.op if root.op is not None else root.block.region.op if root.block is not None else None
        assert holder is not None
        if edge.place is holder:  # at the start: into the op, not past it
            return edge.block is not None and (edge.guard is Guard.ALWAYS or self._runs(holder, 1))
        return edge.guard is Guard.ALWAYS or self._runs(holder, 2 if edge.guard is Guard.TRIPS else 1)

    def _together(self, blocks: list[Block]) -> bool:
        """Whether control plainly comes to all of the blocks, in one run of the function."""
        flags = set[Block]()
        for block in blocks:
            for inner in self._outwards(block):
                holder = inner.region.op
                if inner.index or len(inner.region.blocks) > 1:
                    return False
                if holder is self._graph.function:
                    break
                if self._graph.trip(holder) is not None:
                    if not self._runs(holder, 1):
                        return False
                elif self._graph.may_repeat(inner.region) or not self._free(inner, flags):
                    return False
        return len(flags) < 2

    def _free(self, block: Block, flags: set[Block]) -> bool:
        """Whether the way into a branch is open, or a flag decides that may be any; `flags` takes the branch then."""
        for edge in self._graph.entries(block.region.op):
            if edge.block is not block:
                continue
            if edge.guard is Guard.ALWAYS:
                return True
            expr = self._graph.asks(edge)
            if edge.guard is Guard.CASE or expr is None or not may_be_either(expr):
                return False
            flags.add(block)
            return True
        return False

    def _runs(self, loop: Op, times: int) -> bool:
        """Whether a counted loop may run so often, whatever other loops do."""
        trip = self._graph.trip(loop)
        if trip is None or trip.lower[0] != "const":
            return False
        if trip.upper[0] == "const":
            return trip.step[0] == "const" and trip.lower[1] + (times - 1) * trip.step[1] < trip.upper[1]
        return _any_number(trip, self._graph.function)

    def _outwards(self, block: Block) -> Iterator[Block]:
        while True:
            yield block
            holder = block.region.op
            if holder is self._graph.function or holder.parent is None:
                return
            block = holder.parent


def _any_number(trip: TripOf, function: Op) -> bool:
    """Whether the upper bound is an unknown number."""
    upper: Expr = trip.upper
    if upper[0] != "leaf":
        return False
    value: Value = upper[1]
    return value.block is None or value.block.region.op is function
