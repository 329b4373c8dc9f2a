"""Buffers whose operation gives them no name (`call @make() : () -> memref<4xf32>`): nobody can free them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memlane.findings import Certainty
from memlane.flow.alias import Origin, OriginKind
from memlane.flow.events import EventKind
from memlane.flow.followed import Incident
from memlane.flow.named import described
from memlane.flow.scalar import simplify
from memlane.syntax.tree import Op, Value

if TYPE_CHECKING:
    from memlane.flow.program import FunctionFlow, Program


def nameless(program: Program, flow: FunctionFlow) -> Iterator[Incident]:
    """The leaks of buffers without a name, in text order."""
    for op in described(flow.graph, lambda model: model.alloc or model.call is not None):
        if op.results or op.regions or not op.types:
            continue
        model = flow.graph.model(op)
        assert model is not None
        if not model.alloc:
            yield from _given(program, flow, op)
        for alloc in model.alloc:
            value = Value("", op.name_span, op.types[-1], alloc.result, op)
            origin = Origin(OriginKind.ALLOCATION, value, alloc.resource, None, alloc.sized)
            if origin.owned:
                yield _lost(op, origin, Certainty.ALWAYS)


def _given(program: Program, flow: FunctionFlow, call: Op) -> Iterator[Incident]:
    """Those that a call hands out."""
    values = flow.graph.arguments(call)
    if any("->" in ((value.type if value is not None else None) or "->") for value in values):
        return  # types in types: which ones are those of the results the list does not tell
    types = call.types[len(values) :]
    wanted = tuple(index for index, type_ in enumerate(types) if type_.startswith("memref<"))
    if not wanted:
        return
    scalars = tuple(simplify(flow.graph.expression(value), {}) if value is not None else None for value in values)
    ways = program.followed(call, (None,) * len(values), scalars, wanted) or ()
    for index in wanted:
        sources = [dict(way.results).get(index) for way in ways]
        fresh = [source is not None and source.fresh for source in sources]
        if any(fresh):
            origin = Origin(OriginKind.CALL, Value("", call.name_span, types[index], index, call))
            yield _lost(call, origin, Certainty.ALWAYS if all(fresh) else Certainty.SOME)


def _lost(op: Op, origin: Origin, certainty: Certainty) -> Incident:
    return Incident(EventKind.LEAK, certainty, op, None, origin, None, None, (), False)
