"""The regions of a slice's ops that paths go into: all, but where an op has many that are executed in any order.

Of those (control/region_dispatch.py) the ones in which nothing happens to what is followed are one with the place
between them: control comes back there, and finds what it left. Else n buffers of n regions were each followed through
all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from memlane.flow.control.aggregate_buffers import results_of
from memlane.flow.control.edge import Edge
from memlane.flow.control.graph import Graph
from memlane.flow.control.region_dispatch import Hub, hubs_of
from memlane.flow.control.region_edges import edges_within
from memlane.syntax.tree.tree import Block, Op, Region

if TYPE_CHECKING:
    from memlane.flow.slicing.slice import Slice


class Between(NamedTuple):
    """Such a place, for one slice.

    Args:
        busy: the regions that are followed, by their index.
        onward: where control goes from there.
    """

    busy: list[int]
    onward: tuple[Edge, ...]


def between(graph: Graph, part: Slice) -> Mapping[Block, Between]:
    """Those places, by their blocks, of a slice that is known but for them."""
    hubs = {op: hub for op, hub in hubs_of(graph).items() if op in part.position}
    busy: dict[Op, set[int]] = {op: set() for op in hubs}
    if not busy:
        return {}
    values = (value.block for value in (*part.root, *part.scalars) if value.block is not None)
    for block in (*part.stops, *values):
        if block.region.op in busy:
            busy[block.region.op].add(block.region.index)
    return {hub.block: _between(hub, _followed(graph, part, op, busy[op])) for op, hub in hubs.items()}


def _followed(graph: Graph, part: Slice, op: Op, busy: set[int]) -> list[int]:
    """The regions to follow of an op, where something happens in some."""
    results, count = results_of(graph, op), len(op.regions)
    handed = any(result in part.root for result in results)
    if not part.scalars.isdisjoint(results) or (handed and not part.lets_go):
        return [*range(count)]  # each of them may yield other values
    # All that hand on none of the buffers do the same to the names of results.
    idle = next((index for index in range(count) if index not in busy), None) if handed else None
    return sorted(busy if idle is None else {*busy, idle})


def _between(hub: Hub, busy: list[int]) -> Between:
    idle = () if len(busy) == len(hub.onward) else (hub.to,)
    return Between(busy, (*(hub.onward[index] for index in busy), *idle))


def regions_of(graph: Graph, ops: Collection[Op]) -> set[Region]:
    """The regions of some ops; of an op with such a place those alone that one of the ops stands in."""
    hubs = hubs_of(graph)
    found = {region for op in ops if op is not graph.function and op not in hubs for region in op.regions}
    if hubs:
        around = (op.parent.region for op in ops if op.parent is not None)
        found.update(region for region in around if region.op in hubs)
    return found


def edges_inside(graph: Graph, part: Slice, op: Op) -> Iterator[Edge]:
    """See `edges_within`; those that paths of a slice take."""
    hub = hubs_of(graph).get(op)
    if hub is None:
        yield from edges_within(graph, op)
        return
    yield from (*graph.entries(op), *part.exits(hub.block))
    for index in part.between[hub.block].busy:
        for block in op.regions[index].blocks:
            yield from graph.exits(block)
