"""Opaque aggregates, whose layout is unknown: of a named type (`!pair`), too large or too deep, or of two buffers where
a memref has one.

A value extracted from one may be any value inserted, and gets no findings: an inserted buffer escapes as soon as the
aggregate flows where it is not followed. The same holds for several results of a function without a body: whether these
are distinct buffers is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memlane.dialects.model import Aggregate
from memlane.flow.cfg.callee import called
from memlane.flow.cfg.edge import Bindings, Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.derived import query
from memlane.flow.effects.aggregate_buffers import Field, fields_of
from memlane.flow.effects.aggregate_pointers import ALIGNED, ALLOCATED, found_at, inserted, reached
from memlane.flow.effects.aggregate_pointers import fields as put_into
from memlane.flow.effects.effects import Effects
from memlane.flow.memory.model_effects import stands_for_global
from memlane.flow.symbolic.type_layout import NAMED, has_one_place, layout
from memlane.flow.symbolic.types import is_aggregate, is_descriptor, may_be_aggregate, may_hold_buffer
from memlane.syntax.tree.tree import Op, Value, used


def through_untold(graph: Graph, op: Op, effects: Effects) -> Effects:
    """The effects of an op that makes or uses opaque aggregates."""
    query(graph, resting_ops).add(op)
    model = graph.model(op)
    role = model.aggregate if model is not None else None
    if role is Aggregate.INSERT:
        if not op.results or not is_untold(graph, op.results[0]):
            return effects
        views = tuple([view._replace(unsure=True) for view in effects.views])
        return effects._replace(views=views, escapes=(*effects.escapes, *fields_of(graph).of(inserted(op)[1])))
    whole = op.operands[0].value if role is Aggregate.EXTRACT and op.operands else None
    if role is Aggregate.EXTRACT and whole is not None:
        views, escapes = effects.views, tuple(_beside(graph, op, whole, effects))
        if not reached(graph, op) and is_untold(graph, whole):
            views, escapes = (), (*escapes, whole, *put_into(graph, whole))
        elif not views and may_hold_buffer(op.results[0].type if op.results else None):
            escapes = fields_of(graph).of(whole)
        return effects._replace(views=views, escapes=tuple(dict.fromkeys((*effects.escapes, *escapes))))
    if effects.returned:
        return effects
    lost = [one for value in used(op) if may_be_aggregate(value.type) for one in _lost(graph, op, value)]
    lost += _handed_otherwise(graph, op)
    views = [view for view in effects.views if not any(is_untold(graph, source) for source in view.sources)]
    return effects._replace(views=tuple(views), escapes=tuple(dict.fromkeys((*effects.escapes, *lost))))


def bindings_of(graph: Graph, pairs: Bindings) -> Bindings:
    """What is handed over, with the fields of that behind it, but not what is not followed any further."""
    if not any(may_be_aggregate(receiver.type) for _, receiver in pairs):
        return pairs
    followed = [(None if value is not None and is_untold(graph, value) else value, to) for value, to in pairs]
    return fields_of(graph).bindings(tuple(followed))


def is_untold(graph: Graph, value: Value) -> bool:
    """Whether a value holds several buffers at unknown places."""
    type_ = value.type or ""
    if NAMED.fullmatch(type_):
        packed = query(graph, _packed)
        if value not in packed:
            packed[value] = _is_packed(graph, value)
        return packed[value]
    if not is_aggregate(type_) or not may_hold_buffer(type_) or isinstance(value, Field):
        return False
    if is_descriptor(type_):
        return _is_two(graph, value)
    return not layout(type_) and not has_one_place(type_)


def _is_two(graph: Graph, whole: Value) -> bool:
    """Whether what has the type of a descriptor is built in sight of two buffers: no memref is, unless the first only
    stands for a global."""
    if not is_descriptor(whole.type) or whole.op is None:
        return False
    allocated, aligned = (found_at(graph, whole, place) for place in (ALLOCATED, ALIGNED))
    if allocated[1] or aligned[1] or allocated[0] == aligned[0]:
        return False
    if any(value.op is not None and _is_global(graph, value.op) for value in allocated[0]):
        return False
    makers = [graph.model(value.op) for value in aligned[0] if value.op is not None]
    return any(model is not None and model.alloc for model in makers)


def _is_global(graph: Graph, op: Op) -> bool:
    model = graph.model(op)
    return model is not None and stands_for_global(graph, op, model)


def _packed(_: Graph) -> dict[Value, bool]:
    """Whether values of named types are aggregates, as far as it has been asked."""
    return {}


def resting_ops(_: Graph) -> set[Op]:
    """The ops whose effects rest on ops that may be others after an edit."""
    return set()


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
        yield from fields_of(graph).of(value)


def _beside(graph: Graph, op: Op, whole: Value, effects: Effects) -> Iterable[Value]:
    """What is not taken out of what a function gives that is only declared: perhaps it is no other buffer."""
    taken = {source for view in effects.views for source in view.sources}
    return [field for field in fields_of(graph).of(whole) if field not in taken] if _is_declared(graph, whole) else ()


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
    fields = fields_of(graph)
    for edge in edges:
        for value, receiver in edge.bindings:  # opaque values have no fields here
            given = fields.of(value)
            if value is None or isinstance(receiver, Field):
                continue
            if [one.place for one in given] != [one.place for one in fields.of(receiver)]:
                yield from given or (value, *put_into(graph, value))
