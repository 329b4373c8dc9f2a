"""Operations whose regions do not run one after the other, once for each time that control comes to them: threads, work
in the background, what is done for each element of something. What is used in them is used until they are done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from memlane.dialects.model import Guard
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import defining_block
from memlane.placement.mentions import Family
from memlane.placement.segments import Segments
from memlane.syntax.tree.tree import Block, Op, Value


def behind_barriers(
    graph: Graph, segments: Segments, family: Family, used: Callable[[Op, list[Value]], int]
) -> dict[int, int]:
    """Per segment behind such an operation the buffers that are used in it, but for those that are made in it.

    Args:
        used: gives the bits of the buffers that an operation uses, of the names that it has.
    """
    barred: dict[Op, bool] = {}
    inside: dict[Op, int] = {}
    for root, number in family.bit.items():
        for around in _barring(graph, defining_block(root), barred):
            inside[around] = inside.get(around, 0) | number
    found: dict[int, int] = {}
    for op, values in family.uses.items():
        bits = 0
        for around in _barring(graph, op.parent, barred):
            bits = bits or used(op, values)
            behind = segments.behind(around)
            found[behind] = found.get(behind, 0) | (bits & ~inside.get(around, 0))
    return found


def _barring(graph: Graph, block: Block | None, barred: dict[Op, bool]) -> Iterator[Op]:
    """Such operations around a block. `barred` keeps which are."""
    around = block.region.op if block is not None else None
    while around is not None and around is not graph.function and around.parent is not None:
        bars = barred.get(around)
        if bars is None:
            bars = barred[around] = is_barring(graph, around)
        if bars:
            yield around
        around = around.parent.region.op


def is_barring(graph: Graph, op: Op) -> bool:
    """Whether an operation is such a one."""
    model = graph.model(op)
    if model is None or model.regions is None or model.parallel or model.threads is not None:
        return True
    if model.detached or model.token is not None or model.tasks is not None:
        return True
    return all(edge.guard is Guard.ALWAYS for edge in model.regions)  # they may run for each element of something
