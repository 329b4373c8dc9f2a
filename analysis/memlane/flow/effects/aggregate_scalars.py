"""Numbers and flags in aggregates: what an op takes out of one is what was put there.

Where the aggregate is built in sight, that is a value of its own. Where it comes from elsewhere (a block argument, a
call, a region), a flag goes by the name of its field (aggregate_buffers.py); other numbers are not followed there.
"""

from __future__ import annotations

from memlane.dialects.model import Aggregate
from memlane.flow.cfg.graph import Graph
from memlane.flow.effects.aggregate_buffers import Field, fields_of
from memlane.flow.effects.aggregate_pointers import found_at, place_of
from memlane.flow.symbolic.type_layout import Place
from memlane.flow.symbolic.types import may_hold_buffer
from memlane.syntax.tree.tree import Op, Value


def unpacked(graph: Graph, value: Value) -> tuple[Value, ...]:
    """What a number is that an op takes out of an aggregate, or a flag that stands in one.

    One value: it is that. Three: it is one of the last two, as the first says. None: unknown, or not a number.
    """
    op = value.op
    if op is None or may_hold_buffer(value.type):
        return ()
    if isinstance(value, Field):
        return _standing(graph, value, op)
    model, place = graph.model(op), place_of(graph, op)
    whole = op.operands[0].value if op.operands else None
    if model is None or model.aggregate is not Aggregate.EXTRACT or whole is None or place is None:
        return ()
    return _at(graph, whole, place, value)


def _standing(graph: Graph, flag: Field, op: Op) -> tuple[Value, ...]:
    """The same of a flag in what an op gives."""
    model = graph.model(op)
    if model is not None and model.aggregate is not None:
        return _at(graph, op.results[flag.index], flag.place, flag)
    if not graph.selects(op) or len(op.operands) != 3:
        return ()
    condition, *ways = (use.value for use in op.operands)
    given = [fields_of(graph).flag(way, flag.place) for way in ways if way is not None]
    then, otherwise = (*given, None, None)[:2]
    return () if condition is None or then is None or otherwise is None else (condition, then, otherwise)


def _at(graph: Graph, whole: Value, place: Place, asked: Value) -> tuple[Value, ...]:
    """What stands at a place, if it is a number of the type that is asked for."""
    found, inner = found_at(graph, whole, place)
    if len(found) != 1:
        return ()
    one = fields_of(graph).flag(found[0], inner) if inner else found[0]
    return (one,) if one is not None and one is not asked and one.type == asked.type else ()
