"""Aggregates that hold several buffers, or flags: each place of one that may hold such is a name of its own.

Taken as one name, what is taken out of such a value behind a block argument, a call or a region would be one buffer. So
each is replaced by its fields ("SROA", scalar replacement of aggregates), wherever values stand for buffers: in what
ops do, in what control hands over, and in what calls pass and give back. The memref that a function is passed lowered,
a descriptor, stays one name of one buffer (aggregate_pointers.py). A flag goes along with a buffer where a function
that gives both has been lowered: it is a name also where the buffer is alone, which then goes by that of the aggregate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod
from operator import attrgetter

from memlane.dialects.model import Aggregate, ViewKind
from memlane.flow.cfg.graph import Graph
from memlane.flow.derived import query
from memlane.flow.effects.aggregate_pointers import ALIGNED, empty_at, found_at, holds, inserted, is_aligned, place_of
from memlane.flow.effects.aggregate_pointers import fields as put_into
from memlane.flow.effects.effects import Effects, ViewOf
from memlane.flow.effects.limits import MAX_PLACES
from memlane.flow.symbolic.type_layout import NAMED, Place, flags_in, layout
from memlane.flow.symbolic.types import is_aggregate, is_descriptor, may_be_aggregate, may_hold_buffer
from memlane.lazy import regex
from memlane.syntax.tree.tree import Op, Value, used

_TYPE, _VALUE = attrgetter("type"), attrgetter("value")


@dataclass(slots=True, eq=False, repr=False)
class Field(Value):
    """A place of an aggregate. It has the name and the uses of that, and no type in the text.

    Args:
        place: from the outermost index inwards.
    """

    place: Place = ()


class Content(Field):
    """What is at a place of a container that the function is passed. It has the name and the uses of the container."""

    __slots__ = ()


def is_written(value: Value) -> bool:
    """Whether the text names a value: places of slots (pointer_memory.py) and of aggregates it does not."""
    return (value.op is not None or value.block is not None) and not isinstance(value, Field)


class Fields:
    """The fields of the values of one function, each made when it is asked for."""

    __slots__ = ("_contents", "_flags", "_formals", "_known")

    def __init__(self) -> None:
        self._contents: dict[Value, tuple[Content, ...]] = {}
        self._known: dict[Value, tuple[Field, ...]] = {}
        self._flags: dict[Value, tuple[Field, ...]] = {}
        self._formals: tuple[Value, ...] | None = None

    @property
    def some(self) -> bool:
        """Whether there are any that may hold buffers."""
        return bool(self._known)

    def of(self, value: Value | None) -> tuple[Field, ...]:
        """The fields of a value that may hold buffers, in the order of their places; none of one that stands for one
        buffer at most."""
        if value is None or not is_aggregate(value.type):
            return ()
        found = self._known.get(value)
        if found is None:
            found = _made(value, layout(value.type or ""))
            if found:
                self._known[value] = found
        return found

    def flags(self, value: Value | None) -> tuple[Field, ...]:
        """The fields of a value that hold flags, in the order of their places."""
        if value is None or not is_aggregate(value.type):
            return ()
        found = self._flags.get(value)
        if found is None:
            found = self._flags[value] = _made(value, flags_in(value.type or ""))
        return found

    def flag(self, value: Value, place: Place) -> Field | None:
        """The field at a place of a value, if it holds a flag; else None."""
        return next((field for field in self.flags(value) if field.place == place), None)

    def behind(self, values: Iterable[Value | None]) -> list[Field]:
        """The fields of some values that may hold buffers."""
        return [field for value in values for field in self.of(value)]

    def inside(self, values: Iterable[Value | None]) -> list[Field]:
        """The same, and behind them those that hold flags. These have the same numbers for who calls and who is called:
        where one of the two does not see what is in an aggregate, there are none."""
        values = [*values]
        types = {*map(_TYPE, filter(None, values))}  # of n results of one call few are aggregates, and all buffers ask
        if not any(map(may_be_aggregate, types)):
            return []
        packed = [value for value in values if value is not None and may_be_aggregate(value.type)]
        named = any(NAMED.fullmatch(value.type or "") for value in packed)
        return [*self.behind(packed), *(() if named else (flag for value in packed for flag in self.flags(value)))]

    def formals(self, arguments: tuple[Value, ...]) -> tuple[Value, ...]:
        """The arguments of the function with their fields, each with its number."""
        if self._formals is None:
            containers = [value for value in arguments if container_places(value.type)]
            fields = [*self.inside(arguments), *(one for value in containers for one in self.contents(value))]
            for number, field in enumerate(fields, len(arguments)):
                field.index = number
            self._formals = (*arguments, *fields)
        return self._formals

    def contents(self, argument: Value) -> tuple[Content, ...]:
        """What a container holds that the function is passed, in the order of its places."""
        places = container_places(argument.type)
        if places and argument not in self._contents:
            self._contents[argument] = tuple(
                Content(argument.name, argument.at, argument.size, kept, 0, None, argument.block, argument.uses, place)
                for place, kept in places
            )
        return self._contents[argument] if places else ()

    def bindings(self, pairs: tuple[tuple[Value | None, Value], ...]) -> tuple[tuple[Value | None, Value], ...]:
        """What is handed over, with the fields of that behind it."""
        more: list[tuple[Value | None, Value]] = []
        for value, receiver in pairs:
            if is_aggregate(receiver.type):
                more += _pairs(self.of(value), self.of(receiver))
                more += _pairs(self.flags(value), self.flags(receiver))
        return (*pairs, *more) if more else pairs

    def spread(self, values: tuple[Value, ...]) -> tuple[Value, ...]:
        """Some values, those that have fields replaced by these."""
        if not any(map(self.of, values)):
            return values
        return tuple([one for value in values for one in self.of(value) or (value,)])


_CONTAINER = regex(r"memref<((?:\d+x)*)(memref<.*>)>$")


def container_places(type_: str | None) -> tuple[tuple[Place, str], ...]:
    """The places of a memref of few memrefs, each with the type of what is there; none of other types."""
    return _container_places(type_) if type_ is not None and type_[-2:] == ">>" else ()


@lru_cache(1024)
def _container_places(type_: str) -> tuple[tuple[Place, str], ...]:
    found = _CONTAINER.match(type_)
    if found is None or not _is_one(found[2]):
        return ()
    sizes = [int(size) for size in found[1].split("x") if size]
    if prod(sizes) > MAX_PLACES:
        return ()
    return tuple((place, found[2]) for place in product(*map(range, sizes)))


def _is_one(type_: str) -> bool:
    """Whether a text is one type in angle brackets, and nothing behind."""
    depth = 0
    for at, letter in enumerate(type_.replace("->", "  ")):
        depth += (letter == "<") - (letter == ">")
        if letter == ">" and depth == 0:
            return at == len(type_) - 1
    return False


def _made(value: Value, places: Iterable[tuple[Place, str]]) -> tuple[Field, ...]:
    """Fields of a value at some places."""
    return tuple(
        Field(value.name, value.at, value.size, type_, value.index, value.op, value.block, value.uses, place)
        for place, type_ in places
    )


def _pairs(given: tuple[Field, ...], receivers: tuple[Field, ...]) -> Iterator[tuple[Value | None, Value]]:
    """What each field receives: nothing that is known where others are given."""
    same = [one.place for one in given] == [one.place for one in receivers]
    return zip(given if same else (None,) * len(receivers), receivers, strict=True)


def fields_of(graph: Graph) -> Fields:
    """The fields of the values of a function."""
    return query(graph, known_fields)


def known_fields(_: Graph) -> Fields:
    """Those that have been asked for: they stay over edits."""
    return Fields()


def results_of(graph: Graph, op: Op) -> tuple[Value, ...]:
    """What an op gives, and behind that its fields."""
    return (*op.results, *fields_of(graph).inside(op.results))


def handed_back(graph: Graph, op: Op) -> list[Value | None]:
    """What an op at the end of the function hands to the caller, and behind that its fields."""
    values = [*map(_VALUE, op.operands)]
    return [*values, *fields_of(graph).inside(values)]


def formals_of(graph: Graph) -> tuple[Value, ...]:
    """The arguments of the function, and behind them their fields."""
    return fields_of(graph).formals(graph.entry.arguments) if graph.entry is not None else ()


def has_fields(graph: Graph) -> bool:
    """Whether a function has values with fields that may hold buffers: arguments, or what ops give that make
    aggregates or get them."""
    fields = fields_of(graph)
    if fields.some or any(map(fields.of, formals_of(graph))):
        return True
    models = graph.named_models.items()
    giving = [name for name, model in models if model is None or model.aggregate or model.call or model.loaded]
    given = [result for name in giving for op in graph.named[name] for result in op.results]
    types = {value.type for value in given}  # there are few, of many values
    return any(map(is_aggregate, types)) and any(map(fields.of, given))


def is_packing(op: Op) -> bool:
    """Whether an op makes or uses what may be an aggregate. Called for each op, most of which do not."""
    return any(map(may_be_aggregate, [value.type for value in (*op.results, *used(op))]))


def through_fields(graph: Graph, op: Op, effects: Effects) -> Effects:
    """What an op that makes or uses aggregates does, where these have fields."""
    fields = fields_of(graph)
    if not any(map(fields.of, (*op.results, *used(op)))):
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
        yield view._replace(result=result, sources=sources, kind=ViewKind.PART, unsure=True, through=None)


def _extracted(fields: Fields, op: Op, place: Place) -> Iterator[ViewOf]:
    """What is taken out: a field, some of an aggregate inside, or a part of one."""
    results = {field.place: field for field in fields.of(op.results[0])}
    holding = may_hold_buffer(op.results[0].type)
    for field in fields.of(op.operands[0].value):
        if field.place[: len(place)] == place:
            result = results.get(field.place[len(place) :], op.results[0])
            yield ViewOf(result, (field,), ViewKind.WHOLE)
        elif place[: len(field.place)] == field.place and is_descriptor(field.type) and holding:
            # Others are opaque (opaque_aggregates.py).
            yield ViewOf(op.results[0], (field,), ViewKind.WHOLE)


def _inserted(graph: Graph, op: Op, place: Place) -> Iterator[ViewOf]:
    """What each field is: what is put there, or what was there before."""
    fields = fields_of(graph)
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
            sources = kept if kept and inner == ALIGNED and is_aligned(graph, op, part) else [*kept, part]
        else:
            sources = kept
        if sources:
            doubt = unsure and kept[0] in sources
            yield ViewOf(field, tuple(sources), ViewKind.WHOLE, doubt, through=through if sources == kept else None)
