"""What is known where a slice begins inside regions: flags made outside that are one constant on each way there, and
what variables hold: what was stored last, or loaded, on the one way there.

A slice begins in the smallest region that holds its buffers (slice.py); a flag may have been stored outside of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_dispatch import hubs_of
from memlane.flow.cfg.region_edges import ancestor, is_inside
from memlane.flow.memory.scalar_memory import FlagAccess, cells_of, has_cells
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.slicing.forwarded_constants import given_outside
from memlane.flow.slicing.limits import MAX_CONDITION_PARTS
from memlane.flow.slicing.memory_facts import follows, has_room
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.scalar import Expr, Facts, points, simplify, size
from memlane.syntax.tree.tree import Op, Region, Value


def entered(graph: Graph, part: Slice, facts: Facts) -> Facts:
    """What is known where a slice begins, of constants that come from outside and of its variables as well.

    Args:
        facts: what is known there of values.
    """
    if part.scope.op is graph.function or part.plain:
        return facts
    found = {**facts, **_constants(graph, part, facts)}
    if not has_cells(graph):
        return found
    for cell in dict.fromkeys(_loaded(graph, part)):
        name: Expr = ("leaf", cell.name)
        held = _held(graph, part.scope, cell) if name not in found else None
        if held is None or not has_room(found):
            continue
        expr = simplify(scalar_of(graph, held), found)
        if not points(expr) and size(expr) <= MAX_CONDITION_PARTS:
            found = {**found, name: expr}
    return found


def _constants(graph: Graph, part: Slice, facts: Facts) -> Facts:
    """What decides in the slice and is made outside."""
    found: Facts = {}
    for leaf in part.decided:
        name: Expr = ("leaf", leaf)
        constant = given_outside(graph, leaf, part.scope) if name not in facts else None
        if constant is not None:
            found[name] = constant
    return found


def _loaded(graph: Graph, part: Slice) -> Iterator[FlagAccess]:
    """The variables from which the slice loads; each load of one is another."""
    seen = set[Value]()
    for op in part.position:
        cell = cells_of(graph).at(op)
        if cell is None or not cell.stores or cell.name in seen or not follows(part, cell):
            continue
        if is_inside(op, part.scope.op):
            seen.add(cell.name)
            yield cell


def _held(graph: Graph, scope: Region, cell: FlagAccess) -> Value | None:
    """What is in a variable where control comes into a region; None where that is not plain."""
    put: dict[Op, Value | None] = dict(cell.stores)
    put.update((value.op, value) for value in cell.loads if value.op is not None)
    region = scope
    while _entered_once(graph, region):
        op = region.op
        block = op.parent
        if block is None:
            return None
        before = ((one, value) for access, value in put.items() if (one := ancestor(access, block)) is not None)
        changing = [
            (one.index, value if one in put else None)
            for one, value in before
            if one.index < op.index and (one in put or not _only_loads(cell, one))
        ]
        if changing or block.index > 0 or cell.made.parent is block or block.region.op is graph.function:
            return max(changing, key=lambda one: one[0])[1] if changing else None
        region = block.region
    return None


def _only_loads(cell: FlagAccess, around: Op) -> bool:
    return not any(is_inside(store, around) for store, _ in cell.stores)


def _entered_once(graph: Graph, region: Region) -> bool:
    """Whether control comes to the start of a region from the op around it alone."""
    hub = hubs_of(graph).get(region.op)
    ends = (block for one in region.op.regions for block in one.blocks)
    before = (region.blocks[0], hub.block if hub is not None else None)
    return not any(edge.block is not None and edge.block in before for block in ends for edge in graph.exits(block))
