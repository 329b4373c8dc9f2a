"""What holds wherever a slice begins: conditions on the one way there, from the inside out.

A slice begins in the smallest region that holds its buffers (slice.py). Control comes there past the edges that enter
the regions around it, through rounds of the loops around it, and past edges between blocks on each way to these: what
they ask is of values that are defined before, and are the same in the slice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set
from typing import NamedTuple

from memlane.flow.cfg.dominators import trees_of
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.scalars.edge_conditions import condition_of
from memlane.flow.scalars.trip_count import TripOf, trip_of
from memlane.flow.slicing.limits import MAX_BLOCKS
from memlane.flow.symbolic.range import INFINITY, Range
from memlane.flow.symbolic.scalar import Expr, constant, leaves
from memlane.syntax.tree.tree import Block, Region, Value


class EntryCondition(NamedTuple):
    """A condition that holds.

    Args:
        expr: a flag, or the number that an edge asks for.
        edge: that which was taken; None: the flag is true.
    """

    expr: Expr
    edge: Edge | None = None


class Entry(NamedTuple):
    """Where a slice begins.

    Args:
        conditions: what holds there, as far as it matters.
        shared: the values that it is about which are asked again, there or in the slice.
    """

    conditions: tuple[EntryCondition, ...] = ()
    shared: frozenset[Value] = frozenset()


def entry_of(graph: Graph, scope: Region, decided: Set[Value]) -> Entry:
    """What holds at the start of a region: conditions that have to do with each other, or with what is `decided`."""
    about = {one: frozenset(leaves(one.expr)) for one in _conditions(graph, scope)}
    counts = Counter(leaf for those in about.values() for leaf in those)
    shared = frozenset([leaf for leaf, count in counts.items() if count > 1 or leaf in decided])
    return Entry(tuple([one for one, those in about.items() if not shared.isdisjoint(those)]), shared)


def _conditions(graph: Graph, region: Region) -> Iterator[EntryCondition]:
    while region.op is not graph.function and (block := region.op.parent) is not None:
        trip = trip_of(graph, region.op)
        if trip is not None:
            yield from map(EntryCondition, of_rounds(trip))
        else:
            yield from _entering(graph, region)
        yield from _before(graph, block)
        region = block.region


def of_rounds(trip: TripOf) -> Iterator[Expr]:
    """What holds in each round of a counted loop."""
    if trip.wraps is None:
        yield ("cmpi", "slt", trip.lower, trip.upper)
    for expr, fact in trip.inside:
        if not isinstance(fact, Range):
            yield expr
            continue
        if fact.low != -INFINITY:
            yield ("cmpi", "sge", expr, constant(int(fact.low)))
        if fact.high != INFINITY:
            yield ("cmpi", "sle", expr, constant(int(fact.high)))


def _entering(graph: Graph, region: Region) -> Iterator[EntryCondition]:
    """What the one edge asks by which control comes into a region."""
    edges = [edge for edge in graph.entries(region.op) if edge.block is region.blocks[0]]
    if len(edges) == 1 and not graph.may_repeat(region):
        yield from _asked(graph, edges[0])


def _before(graph: Graph, block: Block) -> Iterator[EntryCondition]:
    """What edges between the blocks of a region ask that control has passed last on each way to one of them."""
    blocks = block.region.blocks
    if block.index == 0:
        return
    parents = trees_of(graph, block.region).forth.parents
    for _ in range(MAX_BLOCKS):
        if block.index not in parents or block.index == 0:
            return
        entering = graph.entering(block)
        if len(entering) == 1:
            yield from _asked(graph, entering[0])
        block = blocks[parents[block.index]]


def _asked(graph: Graph, edge: Edge) -> Iterator[EntryCondition]:
    asked = condition_of(graph, edge)
    if asked is not None:
        yield EntryCondition(asked, edge)
