"""Ops with many regions that are executed in any order: control comes from each to a place between them, and from there
to each.

Said one by one the ways from each of n regions to each are a square of n. The place between is a block of its own,
without ops; control flow through it reaches the same regions, with the same values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from memlane.dialects.model import Guard, RegionEdge
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.incomplete_cfg import breaks_off
from memlane.flow.cfg.limits import MAX_DIRECT_REGIONS
from memlane.flow.cfg.loops import Loops
from memlane.flow.derived import query
from memlane.syntax.tree.tree import Block, Op, Region, Use

_NONE: Mapping[Op, Hub] = {}


class Hub(NamedTuple):
    """The place between the regions of one op.

    Args:
        block: the place.
        to: what leads to it, from the op and from the end of each region.
        onward: what leads from it to each of the regions, by their index.
    """

    block: Block
    to: Edge
    onward: tuple[Edge, ...]


class _Places(NamedTuple):
    """The places between the regions of a function, and the edges that go through them: made once, as others are.

    Args:
        hubs: the places by their ops.
        past: where control goes from these ops and the blocks in them, as far as it has been asked.
    """

    hubs: Mapping[Op, Hub]
    past: dict[Op | Block, tuple[Edge, ...]]


class ThroughHubs(Graph):
    """A function's control flow with such places.

    Attributes:
        hubs: by their ops.
    """

    __slots__ = ("_between", "_past", "hubs")

    def __init__(self, graph: Graph, places: _Places) -> None:
        self.share(graph)
        self._entering = {}
        self.hubs, self._past = places
        self._between = {hub.block: hub.onward for hub in self.hubs.values()}

    def entries(self, op: Op) -> tuple[Edge, ...]:
        """See `Graph.entries`."""
        if op not in self.hubs:
            return super().entries(op)
        if op not in self._past:
            self._past[op] = tuple(self._region_edges(op, None, op, op.operands))
        return self._past[op]

    def written_exits(self, block: Block) -> tuple[Edge, ...]:
        """See `Graph.written_exits`."""
        if block in self._between:
            return self._between[block]
        if block.region.op not in self.hubs:
            return super().written_exits(block)
        if block not in self._past:
            self._past[block] = self._exits_of(block)
        return self._past[block]

    def loops(self, region: Region) -> Loops:
        """See `Graph.loops`; a place between has none, and is not known to the function."""
        hub = self.hubs.get(region.op)
        return Loops(region) if hub is not None and region is hub.block.region else super().loops(region)

    def _region_edges(self, op: Op, source: Region | None, place: Op, operands: tuple[Use, ...]) -> list[Edge]:
        if (hub := self.hubs.get(op)) is None:
            return super()._region_edges(op, source, place, operands)
        forwarded = operands if source is not None else ()
        to = hub.to._replace(place=place)  # each is an edge of its own: what it means depends on where it comes from
        return [to, *self._towards(op, RegionEdge(source and -1, None), place, forwarded)]


def hubs_of(graph: Graph) -> Mapping[Op, Hub]:
    """Such places, by their ops."""
    return graph.hubs if isinstance(graph, ThroughHubs) else _NONE


def is_between(block: Block) -> bool:
    """Whether a block is such a place: nothing can be written there."""
    return block.region.index >= len(block.region.op.regions)


def through_hubs(graph: Graph) -> Graph:
    """The control flow of a function with a place between the regions of each op that has many, executed in any order;
    as it is where none has. Where control is suspended, what lives is kept, though nothing names it there."""
    if isinstance(graph, ThroughHubs):
        return graph
    places = query(graph, _places)
    return ThroughHubs(graph, places) if places.hubs else graph


def _places(graph: Graph) -> _Places:
    models = graph.named_models
    if any(model is not None and model.suspends for model in models.values()):
        return _Places({}, {})
    # Runs in each check; of ops with a model, the first shows whether those of its name have regions.
    some = (ops for name, ops in graph.named.items() if ops[0].regions or models[name] is None)
    many = (op for ops in some for op in ops if len(op.regions) > MAX_DIRECT_REGIONS)
    return _Places({op: _hub(graph, op) for op in many if _is_central(graph, op)}, {})


def _is_central(graph: Graph, op: Op) -> bool:
    if op is graph.function:
        return False
    if not all(region.blocks and region.blocks[0].ops and region.blocks[-1].ops for region in op.regions):
        return False  # being typed
    model = graph.model(op)
    return (model is None or model.regions is None) and not any(breaks_off(graph, block) for block in _blocks(op))


def _blocks(around: Op) -> Iterator[Block]:
    return (block for op in around.walk() for region in op.regions for block in region.blocks)


def _hub(graph: Graph, op: Op) -> Hub:
    block = Block(Region(op, len(op.regions)), 0)
    block.region.blocks.append(block)
    onward = tuple(edge for edge in graph.entries(op) if edge.block is not None)
    return Hub(block, Edge(block, None, (), Guard.ALWAYS, op), onward)
