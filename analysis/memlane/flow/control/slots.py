"""Buffers that are kept in variables of a function and in its containers: local memory, of which all is in sight.

Memory made here of whose address nothing is done but to load from it, to store to it and to give it back is a slot, or
several (MLIR, "Mem2Reg" and "SROA", MemorySlotInterfaces.td): only what is stored there in sight is ever loaded. Each
place of it is a name of its own, which a store gives another buffer, and from which a load takes it.

The descriptor of a memref may be passed by its address (MLIR, "LLVM IR Target", "C-compatible wrapper emission"): a
function that is declared only borrows the buffer as if that was passed itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from memlane.dialects import select
from memlane.dialects.model import Aggregate, Kind, OpModel
from memlane.flow.control.aggregates import put_in_descriptor
from memlane.flow.control.apart import are_apart
from memlane.flow.control.effects import Effects, ViewOf, by_itself, effects_of
from memlane.flow.control.filling import filled_with, fills
from memlane.flow.control.places import Place, index_of, moved_to
from memlane.flow.scalars.layout import has_one_place
from memlane.flow.scalars.types import is_descriptor, is_pointer, may_hold_buffer
from memlane.syntax.tree.tree import Op, Use, Value

if TYPE_CHECKING:
    from memlane.flow.control.graph import Graph


class Access(NamedTuple):
    """A load or a store.

    Args:
        address: the operand that says where.
        value: what is loaded or stored.
        filled: all of the memory is filled with it.
    """

    address: Use
    value: Value
    place: Place
    filled: bool = False


class Slots(NamedTuple):
    """The slots of one function.

    Args:
        none: no buffer is stored anywhere.
        views: what the loads and stores of slots that hold buffers do to the names of these: a place of a slot is a
            value that no op and no block defines.
        lent: of calls, the places that they are lent with the addresses that they are passed.
        touched: of those of described functions, the places that they read, and those that they write.
        memories: of each place, the memory that it is of.
    """

    none: bool
    views: Mapping[Op, tuple[ViewOf, ...]]
    lent: Mapping[Op, tuple[Value, ...]]
    touched: Mapping[Op, tuple[tuple[Value, ...], tuple[Value, ...]]]
    memories: Mapping[Value, Value]


def slots_of(graph: Graph) -> Slots:
    """The slots of a function. Found out once."""
    if graph.slots is None:
        stores = [op for name, model in _keeping(graph) for op in graph.named[name] if stores_buffer(op, model)]
        views: dict[Op, tuple[ViewOf, ...]] = {}
        lent: dict[Op, tuple[Value, ...]] = {}
        touched: dict[Op, tuple[tuple[Value, ...], tuple[Value, ...]]] = {}
        memories: dict[Value, Value] = {}
        for memory in dict.fromkeys(_stored_to(graph, stores)):
            of = _Accesses(graph, memory)
            accesses = of.found()
            if accesses and are_apart(accesses) and (not of.passed or _is_lent(accesses, of.passed)):
                found = dict(_views(graph, accesses))
                views.update(found)
                named = {name for some in found.values() for view in some for name in (view.result, *view.sources)}
                memories.update((name, memory) for name in named if name.op is None and name.block is None)
                for use in of.passed:
                    name = views[accesses[0].address.op][0].result
                    name.uses.append(Use(use.name, use.at, use.op, use.index))
                    lent[use.op] = (*lent.get(use.op, ()), name)
                    if (effects := _described(graph, use.op)) is not None:
                        reads, writes = touched.get(use.op, ((), ()))
                        reads = (*reads, name) if use.value in effects.reads else reads
                        touched[use.op] = reads, (*writes, name) if use.value in effects.writes else writes
        graph.slots = Slots(not stores, views, lent, touched, memories)
    return graph.slots


def variables_among(graph: Graph, values: Iterable[Value]) -> set[Op]:
    """The ops that make the memory of places among some values: what is kept stays until they come again."""
    if graph.slots is None or not graph.slots.memories:
        return set()
    memories = graph.slots.memories
    return {op for value in values if value in memories and (op := memories[value].op) is not None}


def variable_of(graph: Graph, load: Op) -> Value | None:
    """The local memory that an op loads from, and does nothing else; None for other ops."""
    if not load.operands or _load(graph, load) is None:
        return None
    memory = load.operands[0].value
    seen: set[Value] = set()
    while memory is not None and memory not in seen and (of := _source(graph, memory)) is not None:
        seen.add(memory)
        memory = of
    return memory if memory is not None and _made_here(graph, memory) else None


def accesses_of(graph: Graph, memory: Value) -> list[Access]:
    """The loads and stores of local memory; none where not all that is done to it is known, or places may overlap."""
    found = _Accesses(graph, memory)
    accesses = found.found()
    return accesses if accesses and not found.passed and are_apart(accesses) else []


def through_slots(graph: Graph, op: Op, effects: Effects) -> Effects:
    """What an op does, where it loads from a slot or stores to one."""
    if op.symbol is not None and _described(graph, op) is not None:
        reads, writes = slots_of(graph).touched.get(op, ((), ()))
        return effects._replace(reads=(*effects.reads, *reads), writes=(*effects.writes, *writes))
    some = effects.loaded or effects.escapes
    if fills(graph, op):
        views = slots_of(graph).views.get(op, ())
        return effects._replace(views=(*effects.views, *views)) if views else effects
    if not some or not any(may_hold_buffer(value.type) for value in some):
        return effects
    views = slots_of(graph).views.get(op)
    return effects._replace(escapes=(), loaded=(), views=views) if views is not None else effects


def named_through(graph: Graph, op: Op) -> list[Value]:
    """What an op names without naming it: what it loads from slots, or is lent in them; fields of what it names."""
    found: list[Value] = []
    if graph.fields.some:
        found += graph.fields.behind(
            use.value for use in (*op.operands, *(o for s in op.successors for o in s.operands))
        )
    if graph.slots is not None and graph.slots.views:
        found += (source for view in graph.slots.views.get(op, ()) for source in view.sources)
        found += graph.slots.lent.get(op, ())
    return found


def _described(graph: Graph, op: Op) -> Effects | None:
    """What a call does of a function that is described, where that is to read and write, no more; else None."""
    model = graph.model(op)
    if model is None or model.call is not None or op.symbol is None or op.results or not _is_near(model):
        return None
    effects = effects_of(graph, op, model)
    return effects if effects == Effects(reads=effects.reads, writes=effects.writes, filled=effects.filled) else None


def _stored_to(graph: Graph, stores: Iterable[Op]) -> Iterator[Value]:
    """The memory made here that buffers are stored to."""
    for op in stores:
        stored = _store(graph, op)
        memory = stored[1] if stored is not None else None
        seen: set[Value | None] = set()  # where control never comes a view may be one of itself
        while memory is not None and memory not in seen and (of := _source(graph, memory)) is not None:
            seen.add(memory)
            memory = of
        if memory is not None and _made_here(graph, memory):
            yield memory


def _is_lent(accesses: list[Access], passed: list[Use]) -> bool:
    """Whether nothing is done with memory but to store a memref's descriptor there, and to pass it on, once: who is
    passed it may write another one there."""
    stores = all(one.value not in one.address.op.results and one.place == Place() for one in accesses)
    return stores and len(passed) == 1 and all(is_descriptor(one.value.type) for one in accesses)


def _views(graph: Graph, accesses: list[Access]) -> Iterator[tuple[Op, tuple[ViewOf, ...]]]:
    """What each access does to the name of its place, or to those of the fields of what is kept there."""
    names: dict[tuple[Place, int], Value] = {}
    kept = {place: value for _, value, place, filled in accesses if not filled and may_hold_buffer(value.type)}
    found: dict[Op, list[ViewOf]] = {}
    for address, value, place, filled in accesses:
        if place in kept:
            op, views = address.op, found.setdefault(address.op, [])
            whole = kept[place] if filled else value
            for number, part in enumerate(graph.fields.of(whole) or (whole,)):
                named = Value(address.name, address.span.start, len(address.name), part.type, 0)
                name = names.setdefault((place, number), named)
                name.uses.append(Use(address.name, address.at, op, address.index))
                given = value if filled else part
                source, result = (name, part) if value in op.results else (given, name)
                views.append(ViewOf(result, (source,), Kind.WHOLE, moves=True))
    return ((op, tuple(views)) for op, views in found.items())


class _Accesses:
    """What is done with memory made here, by all names of it.

    Args:
        outermost: it holds no address of memory that is looked at.

    Attributes:
        passed: where it is passed to functions that are declared only.
    """

    def __init__(self, graph: Graph, memory: Value, outermost: bool = False) -> None:
        self._graph = graph
        self._memory = memory
        self._starts = {memory}
        self._outermost = outermost
        self.passed: list[Use] = []

    def found(self) -> list[Access]:
        """Its loads and stores, in text order; none where something else is done with it, or a place is not known."""
        found: list[Access] = []
        cleared: list[Use] = []
        pending: list[tuple[Value, Place]] = [(self._memory, Place())]
        seen = {self._memory}
        while pending:
            address, place = pending.pop()
            for use in address.uses:
                value = self._value(use)
                if value is not None:
                    where = self._place(use, place)
                    if where is None:
                        return []
                    found.append(Access(use, value, where))
                elif self._clears(use) or (place == Place() and fills(self._graph, use.op)):
                    cleared.append(use)
                elif self._is_passed(use, place):
                    self.passed.append(use)
                elif (views := self._wrapped(use, place)) is not None or (views := self._views(use, place)) is not None:
                    pending += (one for one in views if one[0] not in seen)
                    seen.update(view for view, _ in views)
                else:
                    return []
        found.sort(key=lambda one: one.address.op.span.start)
        begun = found[0].address.op.span.start if found else 0
        late = [use for use in cleared if use.op.span.start >= begun or not self._clears(use)]
        return self._filled(found, late) if late else found

    def _filled(self, found: list[Access], uses: list[Use]) -> list[Access]:
        """The loads and stores with what ops fill all of the memory with; none where that is not known."""
        places = dict.fromkeys((one.place, one.value.type) for one in found)
        for use in uses:
            value = filled_with(self._graph, use, places, use.value is self._memory)
            if value is None:
                return []
            found += [Access(use, value, place, True) for place in dict.fromkeys(place for place, _ in places)]
        found.sort(key=lambda one: one.address.op.span.start)
        return found

    def _is_passed(self, use: Use, place: Place) -> bool:
        """Whether a call of a function that is declared only is passed the start of the memory."""
        call, op = self._graph.call(use.op), use.op
        if op.symbol is None or place != Place():
            return False
        known = op.symbol in self._graph.defined
        return (call is not None and not call.indirect and not known) or _described(self._graph, op) is not None

    def _wrapped(self, use: Use, place: Place) -> list[tuple[Value, Place]] | None:
        """The names of aggregates that an op puts the address into, or takes it out of: of a memref without a rank its
        rank and the address of its descriptor are passed, or the address of both."""
        model = self._graph.model(use.op)
        if model is None or place != Place() or self._outermost:
            return None
        if model.aggregate is not None and use.op.results:
            result = use.op.results[0]
            if model.aggregate is Aggregate.EXTRACT and is_descriptor(use.value.type if use.value else None):
                return self._taken_out(use.op)
            plain = is_pointer(result.type) or has_one_place(result.type or "") or not may_hold_buffer(result.type)
            plain = plain or is_descriptor(result.type)
            return None if not plain else [(result, place)] if may_hold_buffer(result.type) else []
        stored = _store(self._graph, use.op)
        if stored is None or stored[0] is not use.value or not has_one_place(stored[0].type or ""):
            return None
        other = _Accesses(self._graph, stored[1], outermost=True)
        accesses = other.found() if _made_here(self._graph, stored[1]) else []
        if [one.place for one in accesses] != [Place()] or accesses[0].value is not use.value or len(other.passed) != 1:
            return None
        self.passed += other.passed
        return []

    def _taken_out(self, op: Op) -> list[tuple[Value, Place]] | None:
        """The name that an op takes out of the descriptor of the memory; None for what may be another one. A memref in
        local memory is lowered to one that has the address twice."""
        result = op.results[0]
        if not may_hold_buffer(result.type):
            return []
        if put_in_descriptor(self._graph, op) not in self._starts:
            return None
        self._starts.add(result)
        return [(result, Place())]

    def _clears(self, use: Use) -> bool:
        """Whether an op does nothing but write all of the memory, where it is made: with what does not matter then, as
        long as it comes first."""
        op, made = use.op, self._memory.op
        model = self._graph.model(op)
        if model is None or made is None or op.parent is not made.parent or op.results or not _is_near(model):
            return False
        effects = effects_of(self._graph, op, model)
        return use.value is self._memory and effects == Effects(writes=(self._memory,), filled=effects.filled)

    def _value(self, address: Use) -> Value | None:
        """What an op loads or stores at an address; None where it does something else."""
        stored = _store(self._graph, address.op)
        if stored is not None:
            return stored[0] if stored[1] is address.value and stored[0] is not address.value else None
        return _load(self._graph, address.op)

    def _place(self, address: Use, place: Place) -> Place | None:
        """Where an op loads or stores: a memref is followed by indices."""
        indices = [index_of(self._graph, use.value) for use in address.op.operands[address.index + 1 :]]
        known = tuple(index for index in indices if index is not None)
        if not indices:
            return place
        return Place("", known) if address.value is self._memory and len(known) == len(indices) else None

    def _views(self, use: Use, place: Place) -> list[tuple[Value, Place]] | None:
        """The names that an op gives the memory, with where they point; None where it does something else with it."""
        graph, op = self._graph, use.op
        model = graph.model(op)
        if model is None or use.successor is not None or op.regions or _does_more(model) or not _is_near(model):
            return None
        effects = graph.effects(op)
        other = effects.reads or effects.writes or any(view.unsure or len(view.sources) > 1 for view in effects.views)
        moved = moved_to(graph, op, place, use.value in self._starts) if effects.views else None
        if other or (effects.views and moved is None):
            return None
        return [(view.result, moved) for view in effects.views if moved is not None]


def _keeping(graph: Graph) -> list[tuple[str, OpModel]]:
    """The names of the ops of a function that may store something, with their models."""
    models = [(name, graph.models.of(name)) for name in graph.named]
    return [(name, model) for name, model in models if model is not None and model.escape]


def stores_buffer(op: Op, model: OpModel | None) -> bool:
    """Whether an op stores what may be a buffer somewhere."""
    uses = select(op, model.escape[0], model) if model is not None and model.escape else ()
    return any(use.value is not None and may_hold_buffer(use.value.type) for use in uses)


def _store(graph: Graph, op: Op) -> tuple[Value, Value] | None:
    """What an op stores, and the memory it stores it to; None where it does something else, or more."""
    model = graph.model(op)
    if model is None or len(model.escape) != 1 or len(model.write) != 1 or model.read or model.loaded or op.results:
        return None
    stored, address = _only(select(op, model.escape[0], model)), _only(select(op, model.write[0], model))
    plain = stored is not None and address is not None and _is_plain(model)
    return (stored, address) if stored is not None and address is not None and plain else None


def _load(graph: Graph, op: Op) -> Value | None:
    """What an op loads; None where it does something else, or more."""
    model = graph.model(op)
    if model is None or len(model.read) != 1 or not model.loaded or model.escape or model.write or len(op.results) != 1:
        return None
    return op.results[0] if _is_plain(model) else None


def _only(uses: tuple[Use, ...]) -> Value | None:
    return uses[0].value if len(uses) == 1 else None


def _is_plain(model: OpModel) -> bool:
    return not (model.free or model.view or model.regions or _does_more(model))


def _does_more(model: OpModel) -> bool:
    """Whether an op may do something that is told neither by its effects on memory nor by its views."""
    ends = model.exits or model.terminator or model.detached
    waits = model.wait or model.joins or model.tag is not None or model.token is not None
    return bool(ends or waits or model.alloc or model.acquire) or model.call is not None


def _is_near(model: OpModel) -> bool:
    """Whether what an op does is told without asking for slots."""
    return by_itself(model) and not model.escape and not model.loaded


def _made_here(graph: Graph, memory: Value) -> bool:
    model = graph.model(memory.op) if memory.op is not None else None
    allocs = model.alloc if model is not None else ()
    return any(not alloc.per_symbol and alloc.result == memory.index for alloc in allocs)


def _source(graph: Graph, value: Value) -> Value | None:
    """What `value` is a view of, or was put there where it is taken out of the descriptor of a memref."""
    model = graph.model(value.op) if value.op is not None else None
    if value.op is not None and model is not None and model.aggregate is Aggregate.EXTRACT:
        return put_in_descriptor(graph, value.op)
    if value.op is None or model is None or not model.view or not _is_near(model):
        return None
    return next((view.sources[0] for view in graph.effects(value.op).views if view.result is value), None)
