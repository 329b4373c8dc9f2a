"""Code that never runs: what control does not come to where constants decide the ways, in whatever form.

A branch on a constant, an `scf.if` of one, a loop without rounds and what follows a loop without an end are one thing
here: edges that are not taken. Nor does control come behind what ends the program (aborting_ops.py). Nothing is
reported in what only they lead to.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memlane.dialects.model import Guard
from memlane.findings import Span
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_dispatch import through_hubs
from memlane.flow.derived import query
from memlane.flow.scalars.edge_conditions import condition_of
from memlane.flow.scalars.trip_count import trip_of
from memlane.flow.symbolic.scalar import simplify
from memlane.syntax.tree.tree import Block, Op

_BOUNDS = (Guard.TRIPS, Guard.DONE)


class _Stretch(NamedTuple):
    """Statements of one block that never run: the first and the last."""

    first: Op
    last: Op


def never_runs(graph: Graph, place: Span) -> bool:
    """Whether a place in the text of a function is in such code."""
    stretches = query(graph, _unreached)
    before = bisect_right(stretches, place.start, key=_start)
    return before > 0 and place.start < stretches[before - 1].last.span.end


def _start(one: _Stretch) -> int:
    return one.first.span.start


def _unreached(graph: Graph) -> Sequence[_Stretch]:
    """The statements that control does not come to, in text order, block by block; those inside of others are left
    out."""
    graph = through_hubs(graph)
    reached, found = _reached(graph), list[_Stretch]()
    blocks = list(graph.function.regions[0].blocks) if graph.function.regions else []
    while blocks:
        block = blocks.pop()
        stop = reached.get(block, 0)
        if stop < len(block.ops):
            found.append(_Stretch(block.ops[stop], block.ops[-1]))
        for op in block.ops[:stop]:
            blocks += [inner for region in op.regions for inner in region.blocks]
    return sorted(found, key=_start)


def _reached(graph: Graph) -> dict[Block, int]:
    """The blocks that control comes to, each with how many of its ops it comes to."""
    found: dict[Block, int] = {}
    pending = [(graph.entry, 0)] if graph.entry is not None else []
    seen: set[tuple[Block, int]] = set()
    while pending:
        block, start = place = pending.pop()
        if place in seen or start < found.get(block, 0):  # that control comes to what is before `found` is known
            continue
        seen.add(place)
        found[block] = max(found.get(block, 0), start)
        pending += _onward(graph, block, start, found)
    return found


def _onward(graph: Graph, block: Block, start: int, found: dict[Block, int]) -> Iterator[tuple[Block, int]]:
    """Where control may go from a place in a block; `found` takes how far it comes in the block itself."""
    stop = graph.stopping.get(block)
    for op in block.ops[start:]:
        found[block] = max(found[block], op.index + 1)
        if op is stop:
            return
        if op.regions:
            yield from _inner(taken := _taken(graph, graph.entries(op), None))
            if all(edge.leaves is not op for edge in taken):
                return  # it goes on behind the op where it leaves that
    taken, around = _taken(graph, graph.exits(block), block), block.region.op
    yield from _inner(taken)
    left = {edge.leaves for edge in taken if edge.leaves is not None}
    if not graph.exits(block) and around is not graph.function:
        left.add(around)  # the end of the block is being typed
    yield from ((op.parent, op.index + 1) for op in left if op.parent is not None)


def _taken(graph: Graph, edges: Sequence[Edge], source: Block | None) -> list[Edge]:
    return [edge for edge in edges if not is_cut(graph, edge, source)]


def _inner(edges: Sequence[Edge]) -> Iterator[tuple[Block, int]]:
    return ((edge.block, 0) for edge in edges if edge.block is not None)


def is_cut(graph: Graph, edge: Edge, source: Block | None) -> bool:
    """Whether constants say that an edge is not taken."""
    if edge.guard in _BOUNDS:
        return source is None and _decided_bounds(graph, edge)
    expr = condition_of(graph, edge)
    known = simplify(expr, {}) if expr is not None else None
    if known is None or known[0] != "const":
        return False
    if edge.guard is Guard.CASE:
        return known[1] in edge.others if edge.case is None else known[1] != edge.case
    return bool(known[1]) is not (edge.guard in (Guard.TRUE, Guard.HOLDS))


def _decided_bounds(graph: Graph, edge: Edge) -> bool:
    """Whether constant bounds say that a loop does not begin, where the edge enters it, or does, where it goes past."""
    trip = trip_of(graph, edge.place)
    if trip is None or not trip.lower[0] == trip.upper[0] == "const":
        return False
    begins = trip.lower[1] < trip.upper[1]
    return begins is not (edge.guard is Guard.TRIPS)
