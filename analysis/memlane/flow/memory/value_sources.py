"""What a value surely is: another name of what an operation gives, or of an argument of a function."""

from __future__ import annotations

from collections.abc import Iterator

from memlane.dialects.model import ViewKind
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import edges_within
from memlane.flow.memory.effects_at import effects_at
from memlane.syntax.tree.tree import Value


def handed_over(graph: Graph, value: Value) -> Iterator[Value | None]:
    """What edges hand over to an argument of a block, or a result of an op with regions. None: something unknown."""
    if value.block is not None and value.block.index > 0:
        edges = graph.entering(value.block)
    else:
        holder = value.op or (value.block.region.op if value.block is not None else graph.function)
        edges = edges_within(graph, holder) if holder is not graph.function else ()
    yield from (source for edge in edges for source, receiver in edge.bindings if receiver is value)


def first_name(graph: Graph, value: Value) -> Value:
    """The first name of what a value denotes, as far as each name before is the only one that it may come from: whole
    views, and what all ways to a place hand over there."""
    seen: set[Value] = set()
    while value not in seen:
        seen.add(value)
        value = _source(graph, value) or value
    return value


def _source(graph: Graph, value: Value) -> Value | None:
    op = value.op
    if op is None or op.regions:
        sources = {source for source in handed_over(graph, value) if source is not value}
        return sources.pop() if len(sources) == 1 else None
    model = graph.model(op)
    if model is None or model.aggregate is not None:
        return None
    for view in effects_at(graph, op).views:
        if view.result is value:
            moved = view.unsure or view.moves or view.shifted or view.through is not None
            same = view.kind is ViewKind.WHOLE and len(view.sources) == 1 and not moved
            return view.sources[0] if same else None
    return None
