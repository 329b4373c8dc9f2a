"""What decides whether control takes an edge."""

from __future__ import annotations

from collections.abc import Iterator

from memlane.dialects.model import Guard
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.derived import query
from memlane.flow.scalars.assertions import as_asserted
from memlane.flow.scalars.expressions import asked_by, scalar_of
from memlane.flow.scalars.trip_count import trip_of
from memlane.flow.symbolic.scalar import Expr, leaves
from memlane.syntax.tree.tree import Block, Op

_BOUNDS = (Guard.TRIPS, Guard.DONE)


def condition_of(graph: Graph, edge: Edge) -> Expr | None:
    """What decides whether an edge is taken, a number or a flag; None: nothing, or the bounds of a loop."""
    if edge.guard in (Guard.HOLDS, Guard.FAILS):
        return asked_by(graph, edge.place)
    if edge.guard is Guard.ALWAYS or edge.guard in _BOUNDS or edge.number >= len(edge.place.operands):
        return None
    value = edge.place.operands[edge.number].value
    return as_asserted(graph, scalar_of(graph, value), edge.place) if value is not None else None


def is_doubtful(graph: Graph, edge: Edge, source: Block | None) -> bool:
    """Whether the guard of an edge (from the end of `source`, None: from an op) depends on an op without a model, or on
    a constant that is not a number."""
    if edge.guard is Guard.ALWAYS:
        return False
    found, key = query(graph, _doubtful), (edge.place, edge.guard, edge.number, source)
    if key not in found:
        asked = (leaf for expr in _asked(graph, edge, source) for leaf in leaves(expr))
        models = (graph.model(leaf.op) for leaf in asked if leaf.op is not None)
        found[key] = any(model is None or model.compute == "constant" for model in models)
    return found[key]


def _doubtful(_: Graph) -> dict[tuple[Op, Guard, int, Block | None], bool]:
    """What has been found so far, by what decides it."""
    return {}


def _asked(graph: Graph, edge: Edge, source: Block | None) -> Iterator[Expr]:
    if edge.guard in _BOUNDS:
        trip = trip_of(graph, edge.place if source is None else source.region.op)
        yield from (trip.lower, trip.upper, trip.step) if trip is not None else ()
    elif (expr := condition_of(graph, edge)) is not None:
        yield expr
