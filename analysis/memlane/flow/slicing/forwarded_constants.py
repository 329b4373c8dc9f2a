"""Block arguments and region results that are one constant, whatever way control comes there: it is forwarded on each
edge that can be taken, or they are forwarded to themselves.

Sparse constant propagation (Wegman & Zadeck, "Constant propagation with conditional branches", 1991), asked for one
value at a time: that and all that flows into it are solved together, once. A loop that is known not to run, or to run,
takes only those edges; conditions decide where they are constants by themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memlane.dialects.model import Guard
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_dispatch import hubs_of
from memlane.flow.cfg.region_edges import defining_block, is_defined_in
from memlane.flow.dataflow.solver import worklist
from memlane.flow.derived import query
from memlane.flow.scalars.edge_conditions import condition_of
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.scalars.trip_count import trip_of
from memlane.flow.symbolic.scalar import Expr, Facts, leaves, simplify
from memlane.flow.symbolic.types import is_integer
from memlane.syntax.tree.tree import Block, Op, Region, Value

_ANY: Expr = ("any",)
"""Nothing is forwarded on any edge looked at so far."""
_TAKEN = {Guard.TRUE: True, Guard.HOLDS: True, Guard.FALSE: False, Guard.FAILS: False}


def forwarded_constant(graph: Graph, value: Value) -> Expr | None:
    """The constant that a block argument or region result is; None where it may be something else."""
    known = query(graph, _known)
    if value not in known:
        _solve(graph, value, known)
    return known[value]


def given_outside(graph: Graph, value: Value, scope: Region) -> Expr | None:
    """The same of a value that is defined outside of a region, around it or before; None of others."""
    return forwarded_constant(graph, value) if is_forwarded_outside(graph, value, scope) else None


def is_forwarded_outside(graph: Graph, value: Value, scope: Region) -> bool:
    """Whether a value is a block argument or region result that is defined outside of a region."""
    if defining_block(value) is None or (value.op is not None and not value.op.regions):
        return False
    return scope.op is not graph.function and not is_defined_in(value, scope.op)


def _known(_: Graph) -> dict[Value, Expr | None]:
    """What has been found so far."""
    return {}


def _solve(graph: Graph, value: Value, known: dict[Value, Expr | None]) -> None:
    sources = _sources(graph, value, known)
    users: dict[Value, list[Value]] = {}
    for receiver, exprs in sources.items():
        for leaf in {leaf for expr in exprs or () for leaf in leaves(expr)}:
            users.setdefault(leaf, []).append(receiver)
    found: dict[Value, Expr | None] = dict.fromkeys(sources, _ANY)
    order = {receiver: number for number, receiver in enumerate(sources)}

    def visit(receiver: Value) -> Sequence[Value]:
        before, found[receiver] = found[receiver], _merged(sources[receiver], found, known)
        return users.get(receiver, ()) if found[receiver] != before else ()

    worklist(sources, visit, order.__getitem__)
    known.update((one, None if expr == _ANY else expr) for one, expr in found.items())


def _sources(graph: Graph, value: Value, known: dict[Value, Expr | None]) -> dict[Value, list[Expr] | None]:
    """What is forwarded to a value, and to all that this depends on; None: unknown."""
    found: dict[Value, list[Expr] | None] = {}
    pending = [value]
    while pending:
        one = pending.pop()
        if one not in found and one not in known:
            values = _forwarded(graph, one) if is_integer(one.type) else None
            exprs = found[one] = [scalar_of(graph, source) for source in values] if values is not None else None
            pending.extend(leaf for expr in exprs or () for leaf in leaves(expr))
    return found


def _merged(exprs: list[Expr] | None, found: dict[Value, Expr | None], known: dict[Value, Expr | None]) -> Expr | None:
    """What comes of all that is forwarded, as far as it is known."""
    if exprs is None:
        return None
    merged = _ANY
    for expr in exprs:
        values = {leaf: found[leaf] if leaf in found else known[leaf] for leaf in leaves(expr)}
        facts: Facts = {("leaf", leaf): fact for leaf, fact in values.items() if fact is not None and fact != _ANY}
        now = simplify(expr, facts) if facts else expr
        if now[0] != "const":
            if _ANY not in values.values():
                return None
        elif merged == _ANY:
            merged = now
        elif merged != now:
            return None
    return merged


def _forwarded(graph: Graph, value: Value) -> list[Value] | None:
    """The values that `value` receives on edges that can be taken; None: on one it receives what has no name."""
    op, block = value.op, value.block
    holder = op if block is None else block.region.op
    if block is not None and block.index > 0:
        edges = [*graph.entering(block)]
    elif holder is None or holder is graph.function or not holder.regions or holder in hubs_of(graph):
        return None
    else:
        edges = [
            edge for edge in _taken(graph, holder) if (edge.leaves is op if op is not None else edge.block is block)
        ]
    given = [next((source for source, receiver in edge.bindings if receiver is value), None) for edge in edges]
    known = [source for source in given if source is not None]
    return known if known and len(known) == len(given) else None


def _taken(graph: Graph, op: Op) -> Iterator[Edge]:
    """The edges from an op with regions, and from the ends of these, that can be taken."""
    trip = trip_of(graph, op)
    times = trip.times if trip is not None else None
    entries = [edge for edge in graph.entries(op) if _may_enter(graph, edge, times)]
    yield from entries
    pending, seen = [edge.block for edge in entries], set[Block]()
    while pending:
        block = pending.pop()
        if block is None or block in seen or block.region.op is not op:
            continue
        seen.add(block)
        for edge in graph.exits(block):
            if not (edge.guard is Guard.TRIPS and times is not None and times <= 1):
                yield edge
                pending.append(edge.block)


def _may_enter(graph: Graph, edge: Edge, times: int | None) -> bool:
    if edge.guard in (Guard.TRIPS, Guard.DONE):
        return times is None or (times > 0) == (edge.guard is Guard.TRIPS)
    asked = condition_of(graph, edge) if edge.guard in _TAKEN else None
    return asked is None or asked[0] != "const" or bool(asked[1]) == _TAKEN[edge.guard]
