"""Opaque aggregates, whose layout is unknown: of a named type (`!pair`), too large or too deep, or of two buffers where
a memref has one.

A value extracted from one may be any value inserted, and gets no findings: an inserted buffer escapes as soon as the
aggregate flows where it is not followed. The same holds for several results of a function without a body: whether these
are distinct buffers is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from memlane.dialects.model import Aggregate
from memlane.flow.control.aggregate_buffers import Field, uses
from memlane.flow.control.aggregate_pointers import fields as put_into
from memlane.flow.control.aggregate_pointers import inserted, is_two, reached
from memlane.flow.control.callee import called
from memlane.flow.control.effects import Effects
from memlane.flow.symbolic.type_layout import NAMED, has_one_place, layout
from memlane.flow.symbolic.types import is_aggregate, is_descriptor, may_be_aggregate, may_hold_buffer
from memlane.syntax.tree.tree import Op, Value

if TYPE_CHECKING:
    from memlane.flow.control.graph import Edge, Graph

Bindings = tuple[tuple[Value | None, Value], ...]


def through_untold(graph: Graph, op: Op, effects: Effects) -> Effects:
    """The effects of an op that makes or uses opaque aggregates."""
    graph.fields.resting.add(op)
    model = graph.model(op)
    role = model.aggregate if model is not None else None
    if role is Aggregate.INSERT:
        if not op.results or not is_untold(graph, op.results[0]):
            return effects
        views = tuple([view._replace(unsure=True) for view in effects.views])
        return effects._replace(views=views, escapes=(*effects.escapes, *graph.fields.of(inserted(op)[1])))
    whole = op.operands[0].value if role is Aggregate.EXTRACT and op.operands else None
    if role is Aggregate.EXTRACT and whole is not None:
        views, escapes = effects.views, tuple(_beside(graph, op, whole, effects))
        if not reached(graph, op) and is_untold(graph, whole):
            views, escapes = (), (*escapes, whole, *put_into(graph, whole))
        elif not views and may_hold_buffer(op.results[0].type if op.results else None):
            escapes = graph.fields.of(whole)
        return effects._replace(views=views, escapes=tuple(dict.fromkeys((*effects.escapes, *escapes))))
    if effects.returned:
        return effects
    lost = [one for value in uses(op) if may_be_aggregate(value.type) for one in _lost(graph, op, value)]
    lost += _handed_otherwise(graph, op)
    views = [view for view in effects.views if not any(is_untold(graph, source) for source in view.sources)]
    return effects._replace(views=tuple(views), escapes=tuple(dict.fromkeys((*effects.escapes, *lost))))


def bindings_of(graph: Graph, pairs: Bindings) -> Bindings:
    """What is handed over, with the fields of that behind it, but not what is not followed any further."""
    if not any(may_be_aggregate(receiver.type) for _, receiver in pairs):
        return pairs
    followed = [(None if value is not None and is_untold(graph, value) else value, to) for value, to in pairs]
    return graph.fields.bindings(tuple(followed))


def is_untold(graph: Graph, value: Value) -> bool:
    """Whether a value holds several buffers at unknown places."""
    type_ = value.type or ""
    if NAMED.fullmatch(type_):
        known = graph.fields.packed.get(value)
        return graph.fields.packed.setdefault(value, _is_packed(graph, value)) if known is None else known
    if not is_aggregate(type_) or not may_hold_buffer(type_) or isinstance(value, Field):
        return False
    if is_descriptor(type_):
        return is_two(graph, value)
    return not layout(type_) and not has_one_place(type_)


def _is_packed(graph: Graph, value: Value) -> bool:
    """Whether a value of a named type is an aggregate, as far as can be seen."""
    for op in (*((value.op,) if value.op is not None else ()), *(use.op for use in value.uses)):
        model = graph.model(op)
        if model is not None and model.aggregate is not None:
            return True
    return False


def _lost(graph: Graph, op: Op, value: Value) -> Iterator[Value]:
    """What goes out of sight where an op uses an aggregate."""
    if is_untold(graph, value):
        yield from (value, *put_into(graph, value))
    elif _is_declared(graph, value) or (graph.call(op) is not None and any(map(NAMED.fullmatch, op.types))):
        yield from graph.fields.of(value)


def _beside(graph: Graph, op: Op, whole: Value, effects: Effects) -> Iterable[Value]:
    """What is not taken out of what a function gives that is only declared: perhaps it is no other buffer."""
    taken = {source for view in effects.views for source in view.sources}
    return [field for field in graph.fields.of(whole) if field not in taken] if _is_declared(graph, whole) else ()


def _is_declared(graph: Graph, value: Value) -> bool:
    """Whether a value comes from a function without a body."""
    model = graph.model(value.op) if value.op is not None else None
    if value.op is None or model is None or model.call is None:
        return False
    symbol = called(value.op, model.call, graph.models)
    return symbol is None or symbol.rpartition("::")[2].lstrip("@") not in graph.defined


def _handed_otherwise(graph: Graph, op: Op) -> Iterator[Value]:
    """The values forwarded to a value with other fields: as which of them is unknown."""
    edges: tuple[Edge, ...] = ()
    if op.regions and op is not graph.function:
        edges = graph.entries(op)
    elif op.parent is not None and op.index == len(op.parent.ops) - 1:
        edges = graph.exits(op.parent)
    fields = graph.fields
    for edge in edges:
        for value, receiver in edge.bindings:  # opaque values have no fields here
            given = fields.of(value)
            if value is None or isinstance(receiver, Field):
                continue
            if [one.place for one in given] != [one.place for one in fields.of(receiver)]:
                yield from given or (value, *put_into(graph, value))
