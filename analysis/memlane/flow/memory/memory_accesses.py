"""Loads from local memory and stores to it: what is done with an address, by all names of it."""

from __future__ import annotations

from typing import NamedTuple

from memlane.dialects.model import Aggregate, OpModel
from memlane.flow.cfg.graph import Graph
from memlane.flow.effects.aggregate_buffers import container_places, is_packing, through_fields
from memlane.flow.effects.aggregate_pointers import put_in_descriptor
from memlane.flow.effects.effects import Effects
from memlane.flow.effects.plain_accesses import does_more, loaded_by, stored_by, subscripts
from memlane.flow.memory.memset import filled_with, fills
from memlane.flow.memory.model_effects import by_itself, effects_of
from memlane.flow.memory.opaque_aggregates import through_untold
from memlane.flow.scalars.locations import ANYWHERE, Location, index_of, moved_to
from memlane.flow.symbolic.type_layout import has_one_place
from memlane.flow.symbolic.types import is_descriptor, is_pointer, may_hold_buffer
from memlane.syntax.tree.tree import Op, Use, Value


class MemoryAccess(NamedTuple):
    """A load or a store.

    Args:
        address: the operand that says where.
        value: what is loaded or stored.
        filled: all of the memory is filled with it.
    """

    address: Use
    value: Value
    place: Location
    filled: bool = False


class Accesses:
    """What is done with memory made here, by all names of it.

    Args:
        outermost: it holds no address of memory that is looked at.
        lent: it may be passed to any function, and be handed to the caller: what these do is not looked at. Nor need
            places be known: those are `ANYWHERE` then.

    Attributes:
        passed: where it is passed to functions that are declared only, or that are not looked at.
        handed: where it is passed to functions that are looked at, as a container (aggregate_buffers.py).
        freed: the ops that give it back.
        complete: all that is done with it is known.
    """

    def __init__(self, graph: Graph, memory: Value, outermost: bool = False, lent: bool = False) -> None:
        self._graph = graph
        self._memory = memory
        self._starts = {memory}
        self._outermost = outermost
        self._lent = lent
        self.passed: list[Use] = []
        self.handed: list[Use] = []
        self.freed: list[Op] = []
        self.complete = False

    def found(self) -> list[MemoryAccess]:
        """Its loads and stores, in text order; none where something else is done with it, or a place is not known."""
        found: list[MemoryAccess] = []
        cleared: list[Use] = []
        pending: list[tuple[Value, Location]] = [(self._memory, Location())]
        seen = {self._memory}
        while pending:
            address, place = pending.pop()
            for use in address.uses:
                value = self._value(use)
                if value is not None:
                    where = self._place(use, place)
                    if where is None:
                        return []
                    found.append(MemoryAccess(use, value, where))
                elif self._clears(use) or (place == Location() and fills(self._graph, use.op)):
                    cleared.append(use)
                elif self._is_passed(use, place):
                    self.passed.append(use)
                elif place == Location() and self._is_handed(use):
                    self.handed.append(use)
                elif (views := self._wrapped(use, place)) is not None or (views := self._views(use, place)) is not None:
                    pending += (one for one in views if one[0] not in seen)
                    seen.update(view for view, _ in views)
                else:
                    return []
        self.complete = True
        found.sort(key=lambda one: one.address.op.span.start)
        begun = found[0].address.op.span.start if found else 0
        late = [use for use in cleared if use.op.span.start >= begun or not self._clears(use)]
        return self._filled(found, late) if late and not self._lent else found

    def _filled(self, found: list[MemoryAccess], uses: list[Use]) -> list[MemoryAccess]:
        """The loads and stores with what ops fill all of the memory with; none where that is not known."""
        places = dict.fromkeys((one.place, one.value.type) for one in found)
        for use in uses:
            value = filled_with(self._graph, use, places, use.value is self._memory)
            if value is None:
                return []
            found += [MemoryAccess(use, value, place, True) for place in dict.fromkeys(place for place, _ in places)]
        found.sort(key=lambda one: one.address.op.span.start)
        return found

    def _is_passed(self, use: Use, place: Location) -> bool:
        """Whether a call of a function that is declared only is passed the start of the memory."""
        call, op = self._graph.call(use.op), use.op
        model = self._graph.model(op)
        if self._lent and model is not None and (call is not None or model.exits):
            return True
        if op.symbol is None or place != Location():
            return False
        known = op.symbol in self._graph.defined
        return (call is not None and not call.indirect and not known) or described(self._graph, op) is not None

    def _is_handed(self, use: Use) -> bool:
        """Whether a function that is looked at is passed the memory as a container, and gives none back."""
        op, model = use.op, self._graph.model(use.op)
        places = container_places(self._memory.type) if use.value is self._memory else ()
        if not places or model is None or model.call is None or model.call.indirect or model.token is not None:
            return False
        kept = places[0][1]
        given = all(one.type == kept or not may_hold_buffer(one.type) for one in op.results)
        return given and use.successor is None and op.symbol is not None and op.symbol in self._graph.defined

    def _wrapped(self, use: Use, place: Location) -> list[tuple[Value, Location]] | None:
        """The names of aggregates that an op puts the address into, or takes it out of: of a memref without a rank its
        rank and the address of its descriptor are passed, or the address of both."""
        model = self._graph.model(use.op)
        if model is None or place != Location() or self._outermost:
            return None
        if model.aggregate is not None and use.op.results:
            result = use.op.results[0]
            if model.aggregate is Aggregate.EXTRACT and is_descriptor(use.value.type if use.value else None):
                return self._taken_out(use.op)
            plain = is_pointer(result.type) or has_one_place(result.type or "") or not may_hold_buffer(result.type)
            plain = plain or is_descriptor(result.type)
            return None if not plain else [(result, place)] if may_hold_buffer(result.type) else []
        stored = stored_by(self._graph, use.op)
        if stored is None or stored[0] is not use.value or not has_one_place(stored[0].type or ""):
            return None
        other = Accesses(self._graph, stored[1], outermost=True)
        accesses = other.found() if made_here(self._graph, stored[1]) else []
        if (
            [one.place for one in accesses] != [Location()]
            or accesses[0].value is not use.value
            or len(other.passed) != 1
        ):
            return None
        self.passed += other.passed
        return []

    def _taken_out(self, op: Op) -> list[tuple[Value, Location]] | None:
        """The name that an op takes out of the descriptor of the memory; None for what may be another one. A memref in
        local memory is lowered to one that has the address twice."""
        result = op.results[0]
        if not may_hold_buffer(result.type):
            return []
        if put_in_descriptor(self._graph, op) not in self._starts:
            return None
        self._starts.add(result)
        return [(result, Location())]

    def _clears(self, use: Use) -> bool:
        """Whether an op does nothing but write all of the memory, where it is made: with what does not matter then, as
        long as it comes first."""
        op, made = use.op, self._memory.op
        model = self._graph.model(op)
        if model is None or made is None or op.parent is not made.parent or op.results or not is_near(model):
            return False
        effects = effects_of(self._graph, op, model)
        return use.value is self._memory and effects == Effects(writes=(self._memory,), filled=effects.filled)

    def _value(self, address: Use) -> Value | None:
        """What an op loads or stores at an address; None where it does something else."""
        stored = stored_by(self._graph, address.op)
        if stored is not None:
            return stored[0] if stored[1] is address.value and stored[0] is not address.value else None
        return loaded_by(self._graph, address.op)

    def _place(self, address: Use, place: Location) -> Location | None:
        """Where an op loads or stores: a memref is followed by indices."""
        written = subscripts(self._graph, address)
        if written == ():
            return place
        indices = [one if isinstance(one, int) else index_of(self._graph, one) for one in written or ()]
        known = tuple(index for index in indices if index is not None)
        if written is not None and address.value is self._memory and len(known) == len(indices):
            return Location("", known)
        return ANYWHERE if self._lent else None

    def _views(self, use: Use, place: Location) -> list[tuple[Value, Location]] | None:
        """The names that an op gives the memory, with where they point; None where it does something else with it."""
        graph, op = self._graph, use.op
        model = graph.model(op)
        if model is None or use.successor is not None or op.regions or does_more(model) or not is_near(model):
            return None
        effects = _near_effects(graph, op, model)
        other = effects.reads or effects.writes or any(view.unsure or len(view.sources) > 1 for view in effects.views)
        moved = moved_to(graph, op, place, use.value in self._starts) if effects.views else None
        moved = ANYWHERE if moved is None and self._lent else moved
        if other or (effects.views and moved is None):
            return None
        self.freed += [op for _ in effects.frees[:1]]
        return [(view.result, moved) for view in effects.views if moved is not None]


def described(graph: Graph, op: Op) -> Effects | None:
    """What a call does of a function that is described, where that is to read and write, no more; else None."""
    model = graph.model(op)
    if model is None or model.call is not None or op.symbol is None or op.results or not is_near(model):
        return None
    effects = effects_of(graph, op, model)
    return effects if effects == Effects(reads=effects.reads, writes=effects.writes, filled=effects.filled) else None


def is_near(model: OpModel) -> bool:
    """Whether the effects of an op are known without the analysis of slots."""
    return by_itself(model) and not model.escape and not model.loaded


def made_here(graph: Graph, memory: Value) -> bool:
    model = graph.model(memory.op) if memory.op is not None else None
    allocs = model.alloc if model is not None else ()
    return any(not alloc.per_symbol and alloc.result == memory.index for alloc in allocs)


def source_of(graph: Graph, value: Value) -> Value | None:
    """What `value` is a view of, or was put there where it is taken out of the descriptor of a memref."""
    model = graph.model(value.op) if value.op is not None else None
    if value.op is not None and model is not None and model.aggregate is Aggregate.EXTRACT:
        return put_in_descriptor(graph, value.op)
    if value.op is None or model is None or not model.view or not is_near(model):
        return None
    views = _near_effects(graph, value.op, model).views
    return next((view.sources[0] for view in views if view.result is value), None)


def _near_effects(graph: Graph, op: Op, model: OpModel) -> Effects:
    """The effects of an op where that is so."""
    found = effects_of(graph, op, model)
    return through_untold(graph, op, through_fields(graph, op, found)) if is_packing(op) else found
