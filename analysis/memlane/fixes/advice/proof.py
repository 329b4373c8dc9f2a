"""Proofs that a buffer is written in full before anything of it is read, from its first use on.

Two forms count: an operation that overwrites the whole buffer without reading it (a copy into it, destination style
with it among the `outs` and a map that reaches all of it), and a nest of counted loops that stores to every element.
"""

from __future__ import annotations

import re

from memlane.dialects import select
from memlane.dialects.model import Selector
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import is_inside
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.peak.extent import Extents
from memlane.flow.scalars.trip_count import trip_of
from memlane.flow.symbolic.scalar import Expr, constant
from memlane.flow.symbolic.sizes import shape_of
from memlane.lazy import regex
from memlane.rules._plain import Plain
from memlane.syntax.tree.tree import Op, Value

_MAP = regex(r"affine_map<\(([^()]*)\)(?:\[[^\]]*\])? -> \(([^()]*)\)>|(#[\w.$-]+)")
_DESTINATIONS = Selector(0, None, "outs")


def written_first(graph: Graph, plain: Plain, source: str) -> bool:
    """Whether the first use of the buffer in its block writes all of it, and reads nothing of it."""
    if not plain.held or not plain.users:
        return False
    first, value = plain.held[0], plain.origin.value
    if first in plain.users and not first.regions:
        return _whole(graph, first, value, source) or _elements(graph, plain, [], first, source)
    if first in plain.users:
        return _whole(graph, first, value, source)
    return _nest(graph, plain, first, source)


def _whole(graph: Graph, op: Op, value: Value, source: str) -> bool:
    model = graph.model(op)
    effects = effects_at(graph, op)
    if model is None or value not in effects.writes or value in effects.reads:
        return False
    copies = {resource.copy for resource in graph.models.resources.values() if resource.copy is not None}
    if op.name in copies:
        return True
    outs = select(op, _DESTINATIONS, model)
    if value not in [use.value for use in outs]:
        return False
    maps = op.attributes.get("indexing_maps")
    numbers = [use.index for use in outs if use.value is value]
    return maps is None or all(_covers(maps, number, source) for number in numbers)


def _covers(maps: str, number: int, source: str) -> bool:
    """Whether map `number` of a list names a loop of its own for each dimension: then it reaches all of them."""
    found = list(_MAP.finditer(maps))
    if number >= len(found):
        return False
    one = found[number]
    if one[3] is not None:
        alias = re.search(rf"^[ \t]*{re.escape(one[3])}[ \t]*=[ \t]*", source, re.MULTILINE)
        written = _MAP.match(source, alias.end()) if alias is not None else None
        if written is None or written[3] is not None:
            return False
        one = written
    loops = [name.strip() for name in one[1].split(",") if name.strip()]
    results = [name.strip() for name in one[2].split(",") if name.strip()]
    return all(name in loops for name in results) and len(set(results)) == len(results)


def _nest(graph: Graph, plain: Plain, loop: Op, source: str) -> bool:
    """Whether counted loops around one store reach every element, and nothing in them reads the buffer."""
    users = [op for op in plain.users if _holds(loop, op)]
    if any(effects_at(graph, op).reads and plain.origin.value in effects_at(graph, op).reads for op in users):
        return False
    if any(op.results or plain.origin.value not in effects_at(graph, op).writes for op in users):
        return False
    counters: list[tuple[Expr, Expr]] = []
    op = loop
    while op not in users:
        trip = trip_of(graph, op)
        if trip is None or trip.lower != constant(0) or trip.step != constant(1) or len(op.regions[0].blocks) != 1:
            return False
        counters.append((trip.counter, trip.upper))
        inner = [one for one in op.regions[0].blocks[0].ops if any(_holds(one, user) for user in users)]
        if not inner:
            return False
        op = inner[0]
    return _elements(graph, plain, counters, op, source)


def _elements(graph: Graph, plain: Plain, counters: list[tuple[Expr, Expr]], op: Op, source: str) -> bool:
    """Whether `op` stores at the counters of loops that reach every element."""
    value = plain.origin.value
    uses = list(op.operands)
    at = next((n for n, use in enumerate(uses) if use.value is value), None)
    shape = shape_of(value.type)
    effects = effects_at(graph, op)
    if at is None or shape is None or op.regions or value not in effects.writes or value in effects.reads:
        return False
    indices = [use.value for use in uses[at + 1 :]]
    names = "".join(source[uses[at].span.end : op.span.end].partition("]")[0].split())
    if names != "[" + ",".join(use.name for use in uses[at + 1 :]) or len(indices) != len(shape[0]):
        return False
    bounds = dict(counters)
    extents = Extents(graph, {})
    return len(set(indices)) == len(indices) and all(
        index is not None and bounds.get(("leaf", index)) == extents.dimension(value, n)
        for n, index in enumerate(indices)
    )


def _holds(op: Op, other: Op) -> bool:
    return other is op or is_inside(other, op)
