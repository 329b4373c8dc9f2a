"""Buffers that are kept in variables of a function and in its containers: local memory, of which all is in sight.

Memory made here of whose address nothing is done but to load from it, to store to it and to give it back is a slot, or
several (MLIR, "Mem2Reg" and "SROA", MemorySlotInterfaces.td): only what is stored there in sight is ever loaded. Each
place of it is a name of its own, which a store gives another buffer, and from which a load takes it.

The descriptor of a memref may be passed by its address (MLIR, "LLVM IR Target", "C-compatible wrapper emission"): a
function that is declared only borrows the buffer as if that was passed itself.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import NamedTuple

from memlane.dialects import select
from memlane.dialects.model import OpModel, ViewKind
from memlane.flow.cfg.graph import Graph
from memlane.flow.derived import known, query
from memlane.flow.effects.aggregate_buffers import Content, container_places, fields_of
from memlane.flow.effects.effects import Effects, ViewOf
from memlane.flow.effects.plain_accesses import loaded_by, stored_by
from memlane.flow.memory.disjoint_offsets import are_apart
from memlane.flow.memory.memory_accesses import Accesses, MemoryAccess, described, made_here, source_of
from memlane.flow.scalars.expressions import loads_again
from memlane.flow.scalars.locations import ANYWHERE, Location
from memlane.flow.symbolic.types import is_aggregate, is_descriptor, may_hold_buffer
from memlane.syntax.tree.tree import Op, Use, Value


class MemoryPlace(NamedTuple):
    """A place of some memory."""

    memory: Value
    place: Location


class Slots(NamedTuple):
    """The slots of one function.

    Args:
        none: no buffer is stored anywhere.
        views: what the loads and stores of slots that hold buffers do to the names of these: a place of a slot is a
            value that no op and no block defines.
        lent: of calls, the places that they are lent with the addresses that they are passed.
        touched: of those of described functions, the places that they read, and those that they write.
        memories: of each place, the memory that it is of.
        spots: of the loads from other memory made here, and the stores to it, where they load and store.
        sharing: of such memory, the ops that pass it or hand it to the caller.
        again: what loads from any memory do to the name of a place, where they give what was stored there or loaded
            before; and what the ops do that stored or loaded it (effects/reloads.py).
        given: of calls, what is in the containers that they are passed: a name for each place, as far as it has one.
        hidden: what is in containers that the function is passed, by the ops that do with these what is not followed.
    """

    none: bool
    views: Mapping[Op, tuple[ViewOf, ...]]
    lent: Mapping[Op, tuple[Value, ...]]
    touched: Mapping[Op, tuple[tuple[Value, ...], tuple[Value, ...]]]
    memories: Mapping[Value, Value]
    spots: Mapping[Op, MemoryPlace]
    sharing: Mapping[Value, frozenset[Op]]
    again: Mapping[Op, ViewOf]
    given: Mapping[Op, Mapping[Value, tuple[Value | None, ...]]]
    hidden: Mapping[Op, tuple[Value, ...]]


def slots_of(graph: Graph) -> Slots:
    """The slots of a function. Found out once."""
    return query(graph, known_slots)


def known_slots(graph: Graph) -> Slots:
    """The same; known once they have been asked for."""
    stores = [op for name, model in _keeping(graph) for op in graph.named[name] if stores_buffer(op, model)]
    views: dict[Op, tuple[ViewOf, ...]] = {}
    lent: dict[Op, tuple[Value, ...]] = {}
    touched: dict[Op, tuple[tuple[Value, ...], tuple[Value, ...]]] = {}
    memories: dict[Value, Value] = {}
    spots: dict[Op, MemoryPlace] = {}
    sharing: dict[Value, frozenset[Op]] = {}
    given: dict[Op, dict[Value, tuple[Value | None, ...]]] = {}
    hidden: dict[Op, tuple[Value, ...]] = {}
    seen = {argument: Accesses(graph, argument) for argument in query(graph, containers_passed)}
    loads = {argument: _only_loads(graph, argument, of) for argument, of in seen.items()}
    followed = None not in loads.values() and not (seen and _may_change(graph, stores, seen))
    for argument, accesses in loads.items():
        contents = fields_of(graph).contents(argument)
        for one in accesses or () if followed else ():
            views[one.address.op] = (ViewOf(one.value, (_content(contents, one.place),), ViewKind.WHOLE),)
        for use in seen[argument].handed if followed else ():
            given.setdefault(use.op, {})[argument] = contents
        for use in argument.uses if not followed else ():
            hidden[use.op] = (*hidden.get(use.op, ()), *contents)
    for memory in dict.fromkeys(_stored_to(graph, stores)):
        of = Accesses(graph, memory)
        accesses = of.found()
        known = accesses and are_apart(accesses) and (not of.passed or _is_lent(accesses, of.passed))
        if known and (not of.handed or not of.passed):
            found = dict(_views(graph, accesses))
            views.update(found)
            for use in of.handed:
                given.setdefault(use.op, {})[memory] = tuple(_handed(memory, use, found, accesses))
            named = {name for some in found.values() for view in some for name in (view.result, *view.sources)}
            memories.update((name, memory) for name in named if name.op is None and name.block is None)
            for use in of.passed:
                name = views[accesses[0].address.op][0].result
                name.uses.append(Use(use.name, use.at, use.op, use.index))
                lent[use.op] = (*lent.get(use.op, ()), name)
                if (effects := described(graph, use.op)) is not None:
                    reads, writes = touched.get(use.op, ((), ()))
                    reads = (*reads, name) if use.value in effects.reads else reads
                    touched[use.op] = reads, (*writes, name) if use.value in effects.writes else writes
        else:
            shared = Accesses(graph, memory, lent=True)
            accesses = shared.found()
            apart = all(one.place != ANYWHERE for one in accesses) and are_apart(accesses)
            spots.update((one.address.op, MemoryPlace(memory, one.place if apart else ANYWHERE)) for one in accesses)
            sharing[memory] = frozenset(use.op for use in shared.passed)
    again = dict(_again(graph, views))
    none = not stores and not given and not hidden
    return Slots(none, views, lent, touched, memories, spots, sharing, again, given, hidden)


def containers_passed(graph: Graph) -> tuple[Value, ...]:
    """The containers that a function is passed whose places are distinguished."""
    arguments = graph.entry.arguments if graph.entry is not None else ()
    return tuple([argument for argument in arguments if container_places(argument.type)])


def given_in(graph: Graph, call: Op, passed: Iterable[Value | None]) -> list[Value | None]:
    """What a call passes in containers, as far as that has names: as many as the function has places for it."""
    found: list[Value | None] = []
    for value in passed:
        if value is not None and (places := container_places(value.type)):
            found += slots_of(graph).given.get(call, {}).get(value) or (None,) * len(places)
    return found


def variables_among(graph: Graph, values: Iterable[Value]) -> set[Op]:
    """The ops that make the memory of places among some values: what is kept stays until they come again."""
    slots = known(graph, known_slots)
    if slots is None or not slots.memories:
        return set()
    memories = slots.memories
    return {op for value in values if value in memories and (op := memories[value].op) is not None}


def variable_of(graph: Graph, load: Op) -> Value | None:
    """The local memory that an op loads from, and does nothing else; None for other ops."""
    if not load.operands or loaded_by(graph, load) is None:
        return None
    memory = load.operands[0].value
    seen: set[Value] = set()
    while memory is not None and memory not in seen and (of := source_of(graph, memory)) is not None:
        seen.add(memory)
        memory = of
    return memory if memory is not None and made_here(graph, memory) else None


def accesses_of(graph: Graph, memory: Value) -> tuple[list[MemoryAccess], list[Op]]:
    """The loads and stores of local memory; none where not all that is done to it is known, or places may overlap. And
    the ops that give it back."""
    found = Accesses(graph, memory)
    accesses = found.found()
    known = accesses and not found.passed and not found.handed and are_apart(accesses)
    return (accesses if known else []), found.freed


def through_slots(graph: Graph, op: Op, model: OpModel, effects: Effects) -> Effects:
    """What an op does, which `model` describes, where it loads from a slot or stores to one."""
    if op.symbol is not None and described(graph, op) is not None:
        reads, writes = slots_of(graph).touched.get(op, ((), ()))
        return effects._replace(reads=(*effects.reads, *reads), writes=(*effects.writes, *writes))
    some = effects.loaded or effects.escapes
    if model.fill is not None:
        views = slots_of(graph).views.get(op, ())
        return effects._replace(views=(*effects.views, *views)) if views else effects
    if not some or not any(may_hold_buffer(value.type) for value in some):
        return effects
    slots = slots_of(graph)
    views, again = slots.views.get(op), slots.again.get(op)
    if op in slots.hidden:
        views = None  # what is kept there has no name
    if again is not None:
        loaded = () if again.result in op.results else effects.loaded
        return effects._replace(loaded=loaded, views=(again,))
    return effects._replace(escapes=(), loaded=(), views=views) if views is not None else effects


def through_containers(graph: Graph, op: Op, effects: Effects) -> Effects:
    """What an op does, where it does with a container that the function is passed what is not followed."""
    hidden = slots_of(graph).hidden.get(op)
    return effects._replace(escapes=(*effects.escapes, *hidden)) if hidden is not None else effects


def _stored_to(graph: Graph, stores: Iterable[Op]) -> Iterator[Value]:
    """The memory made here that buffers are stored to."""
    for op in stores:
        stored = stored_by(graph, op)
        memory = stored[1] if stored is not None else None
        seen: set[Value | None] = set()  # where control never comes a view may be one of itself
        while memory is not None and memory not in seen and (of := source_of(graph, memory)) is not None:
            seen.add(memory)
            memory = of
        if memory is not None and made_here(graph, memory):
            yield memory


def _only_loads(graph: Graph, container: Value, of: Accesses) -> list[MemoryAccess] | None:
    """What is loaded from a container that the function is passed; None where it does anything else with it but to pass
    it to others that are looked at."""
    accesses, contents = of.found(), fields_of(graph).contents(container)
    places = [Location("", one.place) for one in contents]
    loads = all(one.value in one.address.op.results and one.place in places for one in accesses)
    return accesses if of.complete and loads and not of.passed else None


def _content(contents: tuple[Content, ...], place: Location) -> Content:
    return next(one for one in contents if one.place == place.indices)


def _may_change(graph: Graph, stores: list[Op], containers: Mapping[Value, Accesses]) -> bool:
    """Whether something may be stored in containers that a function is passed, by other names: two may be one."""
    if len([*_stored_to(graph, stores)]) < len(stores):
        return True
    handed = {(use.op, use.index) for of in containers.values() for use in of.handed}
    for name, model in graph.named_models.items():
        for op in graph.named[name] if model is None or model.call is not None else ():
            nested = (use for use in op.operands if use.value is not None and "memref<" in (use.value.type or "")[1:])
            if any((op, use.index) not in handed and not made_here(graph, use.value) for use in nested if use.value):
                return True
    return False


def _handed(
    memory: Value, call: Use, views: Mapping[Op, tuple[ViewOf, ...]], accesses: list[MemoryAccess]
) -> Iterator[Value | None]:
    """The names of the places of a container, in order, which a call uses from now on."""
    names: dict[Location, Value] = {}
    for one in accesses:
        for view in views.get(one.address.op, ()):
            name = view.result if view.result.op is None and view.result.block is None else view.sources[0]
            names[one.place] = name
    for name in names.values():
        name.uses.append(Use(call.name, call.at, call.op, call.index))
    yield from (names.get(Location("", place)) for place, _ in container_places(memory.type))


def _is_lent(accesses: list[MemoryAccess], passed: list[Use]) -> bool:
    """Whether nothing is done with memory but to store a memref's descriptor there, and to pass it on, once: who is
    passed it may write another one there."""
    stores = all(one.value not in one.address.op.results and one.place == Location() for one in accesses)
    return stores and len(passed) == 1 and all(is_descriptor(one.value.type) for one in accesses)


def _views(graph: Graph, accesses: list[MemoryAccess]) -> Iterator[tuple[Op, tuple[ViewOf, ...]]]:
    """What each access does to the name of its place, or to those of the fields of what is kept there."""
    names: dict[tuple[Location, int], Value] = {}
    kept = {place: value for _, value, place, filled in accesses if not filled and may_hold_buffer(value.type)}
    found: dict[Op, list[ViewOf]] = {}
    for address, value, place, filled in accesses:
        if place in kept:
            op, views = address.op, found.setdefault(address.op, [])
            whole = kept[place] if filled else value
            for number, part in enumerate(fields_of(graph).of(whole) or (whole,)):
                named = Value(address.name, address.span.start, len(address.name), part.type, 0)
                name = names.setdefault((place, number), named)
                name.uses.append(Use(address.name, address.at, op, address.index))
                given = value if filled else part
                source, result = (name, part) if value in op.results else (given, name)
                views.append(ViewOf(result, (source,), ViewKind.WHOLE, moves=True))
    return ((op, tuple(views)) for op, views in found.items())


def _again(graph: Graph, views: Container[Op]) -> Iterator[tuple[Op, ViewOf]]:
    """See `Slots.again`; without what is stored in slots, which has names."""
    names: dict[Op, Value] = {}
    for load, (op, value) in loads_again(graph).items():
        type_ = value.type
        if op in views or load in views or not may_hold_buffer(type_) or is_aggregate(type_):
            continue
        if op not in names:
            address = op.operands[0 if op.results else 1]
            names[op] = Value(address.name, address.span.start, len(address.name), type_, 0)
            names[op].uses.append(Use(address.name, address.at, op, address.index))
            yield op, ViewOf(names[op], (value,), ViewKind.WHOLE, moves=True)
        address = load.operands[0]
        names[op].uses.append(Use(address.name, address.at, load, address.index))
        yield load, ViewOf(load.results[0], (names[op],), ViewKind.WHOLE, moves=True)


def _keeping(graph: Graph) -> list[tuple[str, OpModel]]:
    """The names of the ops of a function that may store something, with their models."""
    return [(name, model) for name, model in graph.named_models.items() if model is not None and model.escape]


def stores_buffer(op: Op, model: OpModel | None) -> bool:
    """Whether an op stores what may be a buffer somewhere."""
    uses = select(op, model.escape[0], model) if model is not None and model.escape else ()
    return any(use.value is not None and may_hold_buffer(use.value.type) for use in uses)
