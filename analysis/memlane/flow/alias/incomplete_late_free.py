"""Deallocations after an incomplete operation are not reported as late: the operation may become a later use of the
buffer, and the finding would appear and vanish while each line before a deallocation is typed. Where other work follows
between that operation and the deallocation, this is late in any case.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from memlane.flow.alias.late_frees import LateFree
from memlane.flow.control.graph import Graph
from memlane.syntax.tree.tree import Block, Op


def surely_late(graph: Graph, late: Iterable[LateFree]) -> list[LateFree]:
    """The late deallocations with work behind all operations that are only begun."""
    late = list(late)
    open_ = _open(graph) if late else {}
    return [free for free in late if _surely(graph, open_, free)] if open_ else late


def _open(graph: Graph) -> dict[Block, list[int]]:
    """Per block the numbers of its ops that are only begun, hold such, or use what those give: views, perhaps."""
    found: dict[Block, set[int]] = {}
    pending = list(graph.begun.of(graph))
    while pending:
        around: Op = pending.pop()
        while around.parent is not None and around.index not in found.setdefault(around.parent, set()):
            found[around.parent].add(around.index)
            pending += (use.op for result in around.results for use in result.uses)
            around = around.parent.region.op
    return {block: sorted(numbers) for block, numbers in found.items()}


def _surely(graph: Graph, open_: dict[Block, list[int]], free: LateFree) -> bool:
    block = free.op.parent
    numbers = open_.get(block, []) if block is not None else []
    before = bisect_left(numbers, free.op.index)
    start = free.after.index + 1 if free.after is not None else 0
    if block is None or before == bisect_left(numbers, start):
        return True
    return graph.work(block, numbers[before - 1] + 1, free.op.index).first is not None
