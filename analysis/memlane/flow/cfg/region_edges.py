"""The ways control may go at an op with regions and inside of these."""

from __future__ import annotations

from collections.abc import Iterator

from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.derived import query
from memlane.syntax.tree.tree import Block, Op, Region, Value


def edges_within(graph: Graph, op: Op) -> Iterator[Edge]:
    """The edges from an op into its regions, and those from the ends of their blocks. Of ops without regions, none."""
    if op.regions:
        yield from graph.entries(op)
        for region in op.regions:
            for block in region.blocks:
                yield from graph.exits(block)


def regions_around(op: Op, body: Region) -> list[Region]:
    """The regions around `op`, from `body` inwards; all of them when `body` is not around it."""
    chain: list[Region] = []
    block = op.parent
    while block is not None:
        chain.append(block.region)
        if block.region is body:
            break
        block = block.region.op.parent
    return chain[::-1]


def places_around(graph: Graph, op: Op) -> Iterator[tuple[Op, Block]]:
    """An op and those around it in its function, from the inside out, each with the block that it is in."""
    while op is not graph.function and op.parent is not None:
        yield op, op.parent
        op = op.parent.region.op


def defining_block(value: Value) -> Block | None:
    """The block in which a value is defined."""
    return value.block if value.block is not None else value.op.parent if value.op is not None else None


def ancestor(op: Op | None, block: Block | None) -> Op | None:
    """The op of `block` that is or holds `op`; None when none does."""
    while op is not None and op.parent is not block:
        op = op.parent.region.op if op.parent is not None else None
    return op


def top(op: Op | None, region: Region | None) -> Op | None:
    """The op of a region that is or holds `op`; None when none does."""
    while op is not None and (op.parent is None or op.parent.region is not region):
        op = op.parent.region.op if op.parent is not None else None
    return op


def block_in(block: Block | None, region: Region) -> Block | None:
    """The block of a region that is or holds `block`; None when none does."""
    while block is not None and block.region is not region:
        block = block.region.op.parent
    return block


def is_inside(op: Op, around: Op) -> bool:
    """Whether `op` is nested in `around`."""
    parent = op.parent
    while parent is not None:
        if parent.region.op is around:
            return True
        parent = parent.region.op.parent
    return False


def is_defined_in(value: Value, op: Op) -> bool:
    """Whether a value is defined in the regions of an op."""
    home = defining_block(value)
    return home is not None and (home.region.op is op or is_inside(home.region.op, op))


def comes_back(graph: Graph, region: Region) -> bool:
    """Whether control may come back to a region from its end."""
    ends = (block for block in region.blocks if not (block.ops and block.ops[-1].successors))
    return any(edge.block is not None for block in ends for edge in graph.exits(block))


def repeats(graph: Graph, place: Op, leaf: Value) -> bool:
    """Whether `place` may run again while `leaf` keeps its value: a loop stands between them."""
    home, at = defining_block(leaf), place.parent
    if home is None:
        return False
    known = query(graph, _repeating).setdefault(home, {home: False})
    passed: list[Block] = []
    found = None
    while at is not None and (found := known.get(at)) is None:
        passed.append(at)
        same = at.region is home.region
        if graph.cycle(at) or (not same and comes_back(graph, at.region)):
            found = True
            break
        at = at.region.op.parent if not same else None
    known.update(dict.fromkeys(passed, bool(found)))
    return bool(found)


def _repeating(_: Graph) -> dict[Block, dict[Block, bool]]:
    """For blocks in which values are defined: for others, whether they run again while these keep their values."""
    return {}
