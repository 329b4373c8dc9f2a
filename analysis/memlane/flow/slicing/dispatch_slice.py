"""The regions of a slice's ops that paths go into: all, but where an op has many that are executed in any order.

Of those (cfg/region_dispatch.py) the ones in which nothing happens to what is followed are one with the place
between them: control comes back there, and finds what it left. Else n buffers of n regions were each followed through
all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from typing import NamedTuple

from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_dispatch import Hub, hubs_of
from memlane.flow.effects.aggregate_buffers import results_of
from memlane.syntax.tree.tree import Block, Op, Region, Value


class Between(NamedTuple):
    """Such a place, for one slice.

    Args:
        busy: the regions that are followed, by their index.
        onward: where control goes from there.
    """

    busy: list[int]
    onward: tuple[Edge, ...]


class Followed(NamedTuple):
    """What a slice follows.

    Args:
        stops: the ops to execute, by their blocks.
        names: of buffers. `scalars`: of numbers and flags.
        lets_go: see `Slice`.
    """

    stops: Mapping[Block, Sequence[Op]]
    names: Collection[Value]
    scalars: Set[Value]
    lets_go: bool


def between(graph: Graph, followed: Followed) -> Mapping[Block, Between]:
    """Those places, by their blocks, of a slice that is known but for them."""
    if not (every := hubs_of(graph)):
        return {}
    ops = {op for stops in followed.stops.values() for op in stops}
    hubs = {op: hub for op, hub in every.items() if op in ops}
    busy: dict[Op, set[int]] = {op: set() for op in hubs}
    values = (value.block for value in (*followed.names, *followed.scalars) if value.block is not None)
    for block in (*followed.stops, *values):
        if block.region.op in busy:
            busy[block.region.op].add(block.region.index)
    return {hub.block: _between(hub, _regions(graph, followed, op, busy[op])) for op, hub in hubs.items()}


def _regions(graph: Graph, followed: Followed, op: Op, busy: set[int]) -> list[int]:
    """The regions to follow of an op, where something happens in some."""
    results, count = results_of(graph, op), len(op.regions)
    handed = any(result in followed.names for result in results)
    if not followed.scalars.isdisjoint(results) or (handed and not followed.lets_go):
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
