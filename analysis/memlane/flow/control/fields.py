"""Aggregates that hold several buffers: each place of one that may hold a buffer is a name of its own.

Taken as one name, what is taken out of such a value behind a block argument, a call or a region would be one buffer. So
each is replaced by its fields ("SROA", scalar replacement of aggregates), wherever values stand for buffers: in what
ops do, in what control hands over, and in what calls pass and give back. The memref that a function is passed lowered,
a descriptor, stays one name of one buffer (aggregates.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from memlane.dialects.model import Aggregate, Kind
from memlane.flow.control.aggregates import (
    MOST,
    Found,
    Place,
    empty_at,
    found_at,
    holds,
    inserted,
    is_aligned,
    place_of,
)
from memlane.flow.control.aggregates import fields as put_into
from memlane.flow.control.effects import Effects, ViewOf
from memlane.flow.scalars.types import is_aggregate, is_descriptor, may_be_aggregate, may_hold_buffer
from memlane.syntax.shapes.element import member_types
from memlane.syntax.tree.tree import Op, Value

if TYPE_CHECKING:
    from memlane.flow.control.graph import Graph

DEEPEST = 8
"""Aggregates in one another, and a value in them."""
NAMED = re.compile(r"![\w$]+")
"""Types that have a name (`!pair`), which may be any."""
_ALIGNED = (1,)


@dataclass(slots=True, eq=False, repr=False)
class Field(Value):
    """A place of an aggregate. It has the name and the uses of that, and no type in the text.

    Args:
        place: from the outermost index inwards.
    """

    place: Place = ()


def is_written(value: Value) -> bool:
    """Whether the text names a value: places of slots (slots.py) and of aggregates it does not."""
    return (value.op is not None or value.block is not None) and not isinstance(value, Field)


@lru_cache(maxsize=512)
def layout(type_: str) -> tuple[tuple[Place, str], ...]:
    """The places of an aggregate that may hold a buffer, with their types; none where it holds no more than one."""
    found = _leaves(type_)
    return tuple(found) if found is not None and len(found) > 1 else ()


def has_one_place(type_: str) -> bool:
    """Whether a value of this type may hold one buffer, and no more."""
    found = _leaves(type_)
    return found is not None and len(found) == 1 and bool(member_types(type_, MOST))


def _leaves(type_: str, deeper: int = DEEPEST) -> list[tuple[Place, str]] | None:
    """The places with their types; None: too many, too deep inside, or of a type of which only the name is here."""
    if not deeper or NAMED.fullmatch(type_):
        return None
    members = member_types(type_, MOST) if is_aggregate(type_) and not is_descriptor(type_) else []
    if not members:
        return [((), type_)] if may_hold_buffer(type_) else []
    found: list[tuple[Place, str]] = []
    for index, member in enumerate(members):
        inner = _leaves(member, deeper - 1)
        if inner is None or len(found) + len(inner) > MOST:
            return None
        found += [((index, *place), leaf) for place, leaf in inner]
    return found


class Fields:
    """The fields of the values of one function, each made when it is asked for."""

    __slots__ = ("_formals", "_known", "packed", "resting", "standing")

    def __init__(self) -> None:
        self._known: dict[Value, tuple[Field, ...]] = {}
        self._formals: tuple[Value, ...] | None = None
        self.standing: dict[tuple[Value, Place], Found] = {}  # see aggregates.py
        self.packed: dict[Value, bool] = {}  # see untold.py
        self.resting: set[Op] = set()  # see untold.py

    @property
    def some(self) -> bool:
        """Whether there are any."""
        return bool(self._known)

    def forget(self) -> set[Op]:
        """Let go of what rests on ops that may be others now. Gives the ops whose effects do."""
        found, self.resting = self.resting, set()
        self.standing.clear()
        self.packed.clear()
        return found

    def of(self, value: Value | None) -> tuple[Field, ...]:
        """The fields of a value, in the order of their places; none of one that stands for one buffer at most."""
        if value is None or not is_aggregate(value.type):
            return ()
        found = self._known.get(value)
        if found is None:
            places = layout(value.type or "")
            found = tuple(
                Field(value.name, value.at, value.size, type_, value.index, value.op, value.block, value.uses, place)
                for place, type_ in places
            )
            if found:
                self._known[value] = found
        return found

    def behind(self, values: Iterable[Value | None]) -> list[Field]:
        """The fields of some values."""
        return [field for value in values for field in self.of(value)]

    def formals(self, arguments: tuple[Value, ...]) -> tuple[Value, ...]:
        """The arguments of the function with their fields, each with its number."""
        if self._formals is None:
            fields = self.behind(arguments)
            for number, field in enumerate(fields, len(arguments)):
                field.index = number
            self._formals = (*arguments, *fields)
        return self._formals

    def bindings(self, pairs: tuple[tuple[Value | None, Value], ...]) -> tuple[tuple[Value | None, Value], ...]:
        """What is handed over, with the fields of that behind it."""
        more: list[tuple[Value | None, Value]] = []
        for value, receiver in pairs:
            receivers = self.of(receiver) if is_aggregate(receiver.type) else ()
            if receivers:
                more += zip(self._same(value, receivers) or (None,) * len(receivers), receivers, strict=True)
        return (*pairs, *more) if more else pairs

    def _same(self, value: Value | None, others: tuple[Field, ...]) -> tuple[Field, ...]:
        """The fields of a value where they have the places of others."""
        found = self.of(value)
        return found if [one.place for one in found] == [one.place for one in others] else ()

    def spread(self, values: tuple[Value, ...]) -> tuple[Value, ...]:
        """Some values, those that have fields replaced by these."""
        if not any(map(self.of, values)):
            return values
        return tuple([one for value in values for one in self.of(value) or (value,)])


def has_fields(graph: Graph) -> bool:
    """Whether a function has values with fields: arguments, or what ops give that make aggregates or get them."""
    fields = graph.fields
    if fields.some or any(map(fields.of, graph.formals)):
        return True
    models = [(name, graph.models.of(name)) for name in graph.named]
    giving = [name for name, model in models if model is None or model.aggregate or model.call or model.loaded]
    given = [result for name in giving for op in graph.named[name] for result in op.results]
    types = {value.type for value in given}  # there are few, of many values
    return any(map(is_aggregate, types)) and any(map(fields.of, given))


def is_packing(op: Op) -> bool:
    """Whether an op makes or uses what may be an aggregate. Of most there is none, and each op is asked."""
    return any(map(may_be_aggregate, [value.type for value in (*op.results, *uses(op))]))


def uses(op: Op) -> list[Value]:
    """The values that an op uses or hands to its successors."""
    found = [use.value for use in op.operands if use.value is not None]
    for successor in op.successors:
        found += [use.value for use in successor.operands if use.value is not None]
    return found


def through_fields(graph: Graph, op: Op, effects: Effects) -> Effects:
    """What an op that makes or uses aggregates does, where these have fields."""
    fields = graph.fields
    if not any(map(fields.of, (*op.results, *uses(op)))):
        return effects
    model = graph.model(op)
    whole = model is not None and model.aggregate and op.operands and op.results  # else: it is being typed
    role, place = (model.aggregate, place_of(graph, op)) if model is not None and whole else (None, None)
    escapes = fields.spread(effects.escapes)
    views = [one for view in effects.views for one in _views(fields, view)]
    if role is Aggregate.EXTRACT and place is not None and fields.of(op.operands[0].value):
        views = list(_extracted(fields, op, place))
    elif role is Aggregate.INSERT and place is not None and fields.of(op.results[0]):
        views = list(_inserted(graph, op, place))
        _, part = inserted(op)
        hidden = part is not None and not may_hold_buffer(part.type) and holds(graph, part)
        escapes = (*escapes, part) if part is not None and hidden else escapes  # an address among numbers
    packed = [one for value in effects.returned for one in fields.of(value) or put_into(graph, value)]
    return effects._replace(
        reads=fields.spread(effects.reads),
        writes=fields.spread(effects.writes),
        views=tuple(views),
        escapes=escapes,
        loaded=fields.spread(effects.loaded),
        packed=tuple(dict.fromkeys(packed)),
        acquires=fields.spread(effects.acquires),
    )


def _views(fields: Fields, view: ViewOf) -> Iterator[ViewOf]:
    """A view in fields: of a value of the same type field by field; else it may be any of them."""
    results = fields.of(view.result)
    given = [fields.of(source) for source in view.sources]
    alike = all([one.place for one in source] == [one.place for one in results] for source in given)
    if results and alike:
        for index, result in enumerate(results):
            yield view._replace(result=result, sources=tuple(source[index] for source in given), through=None)
        return
    sources = fields.spread(view.sources)
    for result in results or (view.result,):
        yield view._replace(result=result, sources=sources, kind=Kind.PART, unsure=True, through=None)


def _extracted(fields: Fields, op: Op, place: Place) -> Iterator[ViewOf]:
    """What is taken out: a field, some of an aggregate inside, or a part of one."""
    results = {field.place: field for field in fields.of(op.results[0])}
    holding = may_hold_buffer(op.results[0].type)
    for field in fields.of(op.operands[0].value):
        if field.place[: len(place)] == place:
            result = results.get(field.place[len(place) :], op.results[0])
            yield ViewOf(result, (field,), Kind.WHOLE)
        elif place[: len(field.place)] == field.place and is_descriptor(field.type) and holding:  # else: untold.py
            yield ViewOf(op.results[0], (field,), Kind.WHOLE)


def _inserted(graph: Graph, op: Op, place: Place) -> Iterator[ViewOf]:
    """What each field is: what is put there, or what was there before."""
    fields = graph.fields
    whole, part = inserted(op)
    before = fields.of(whole)
    given = {field.place: field for field in fields.of(part)}
    for index, field in enumerate(fields.of(op.results[0])):
        kept = [before[index]] if index < len(before) and not empty_at(graph, whole, field.place) else []
        through, unsure = None, False
        if whole is not None and not before:  # the same type, named
            found, inner = found_at(graph, whole, field.place)
            kept, through, unsure = list(found), whole if whole not in found else None, bool(found and inner)
        if field.place[: len(place)] == place and part is not None:
            put = given.get(field.place[len(place) :], part)
            sources = [put] if holds(graph, put) else []
        elif place[: len(field.place)] == field.place and part is not None and holds(graph, part):
            inner = place[len(field.place) :]
            sources = kept if kept and inner == _ALIGNED and is_aligned(graph, op, part) else [*kept, part]
        else:
            sources = kept
        if sources:
            doubt = unsure and kept[0] in sources
            yield ViewOf(field, tuple(sources), Kind.WHOLE, doubt, through=through if sources == kept else None)
