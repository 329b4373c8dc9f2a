"""Of the ways a function is entered, those between which a slice can tell.

What callers pass is different for each, and most buffers have nothing to do with it: following one again for each way
would find the same each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memlane.flow.alias.origin import OriginKind
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import edges_within
from memlane.flow.dataflow.context import Context, together
from memlane.flow.memory.call_arguments import arguments_of
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.scalars.edge_conditions import condition_of
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.scalars.trip_count import trips_of
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.scalar import Expr, leaves
from memlane.syntax.tree.tree import Value


def told_apart(graph: Graph, part: Slice, contexts: list[Context]) -> list[Context]:
    """The first of all that differ in nothing that the slice depends on, in order."""
    if len(contexts) < 2:
        return contexts
    positions = [one.value.index for one in part.origins.values() if one.kind is OriginKind.ARGUMENT]
    asked = {leaf for expr in _asked(graph, part) for leaf in leaves(expr)}

    def told_by(context: Context) -> object:
        groups = tuple(context.partition[at] if at < len(context.partition) else None for at in positions)
        return groups, frozenset((key, known) for key, known in context.constants.items() if _among(key, asked))

    return together((told_by(context), context) for context in contexts)


def _among(expr: Expr, asked: set[Value]) -> bool:
    return not asked.isdisjoint(leaves(expr))


def _asked(graph: Graph, part: Slice) -> Iterator[Expr]:
    """All expressions that following the slice evaluates; some more do no harm."""
    yield from (("leaf", value) for value in part.decided)
    ops, edges = [*part.position], [edge for block in part.scope.blocks for edge in graph.exits(block)]
    around = part.scope.op
    while around is not graph.function and around.parent is not None:
        ops.append(around)
        around = around.parent.region.op
    for _, trip in trips_of(graph, ops):
        yield from (trip.lower, trip.upper, trip.step)
    for op in ops:
        if op is not graph.function:
            edges.extend(edges_within(graph, op))
        yield from _expressions(graph, arguments_of(graph, op))
        yield from _expressions(graph, (free.condition for free in effects_at(graph, op).frees))
        if graph.selects(op):
            yield from _expressions(graph, (use.value for use in op.operands))
    for edge in edges:
        expr = condition_of(graph, edge)
        if expr is not None:
            yield expr
        yield from _expressions(graph, (value for value, receiver in edge.bindings if receiver in part.scalars))


def _expressions(graph: Graph, values: Iterable[Value | None]) -> Iterator[Expr]:
    return (scalar_of(graph, value) for value in values if value is not None)
