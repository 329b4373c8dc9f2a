"""Deallocations behind an operation that is only begun are not told to be late: behind the last use of a buffer stands
perhaps one more then, and it would be said, and taken back, while each line before a deallocation is written.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from memlane.flow.alias.liveness import LateFree
from memlane.flow.control.graph import Graph
from memlane.syntax.tree.tree import Block, Op


def surely_late(graph: Graph, late: Iterable[LateFree]) -> list[LateFree]:
    """The late deallocations without an operation in between that is only begun."""
    late = list(late)
    begun: dict[Block, set[int]] = {}
    for op in graph.begun.of(graph) if late else ():
        around: Op = op
        while around.parent is not None:
            begun.setdefault(around.parent, set()).add(around.index)
            around = around.parent.region.op
    if not begun:
        return late
    places = {block: sorted(indices) for block, indices in begun.items()}
    return [free for free in late if not _between(places.get(free.op.parent, []) if free.op.parent else [], free)]


def _between(begun: list[int], free: LateFree) -> bool:
    start = free.after.index + 1 if free.after is not None else 0
    return bisect_left(begun, start) != bisect_left(begun, free.op.index)
