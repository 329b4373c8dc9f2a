"""Which operations may write to some memory, by where they stand in the text.

Two allocations of the function are different memory, and neither is what the function is passed; any other pointer may
point to either. A call, an operation that waits for others, and one that is not described may write to all memory;
calls and undescribed operations not to memory whose address does not leave the function.
"""

from __future__ import annotations

from bisect import bisect_left
from enum import Enum
from typing import NamedTuple

from memlane.dialects.model import Guard, OpModel
from memlane.flow.cfg.graph import Graph
from memlane.flow.effects.effects import ViewOf
from memlane.flow.effects.limits import MAX_BESIDE
from memlane.flow.effects.plain_accesses import loaded_by, stored_by
from memlane.flow.effects.written_effects import frees_of, selected, views_of
from memlane.syntax.tree.tree import Op, Value

_ACTS = "has_side_effects"
"""How an op says that it does more than it gives."""


class MemorySpot(NamedTuple):
    """A place: behind which pointer, at which indices; and what is kept there, by its type."""

    address: Value
    indices: tuple[Value | int | str, ...]
    type: str | None

    def is_beside(self, other: MemorySpot) -> bool:
        """Whether two places are apart: other elements of one memref."""
        known = all(isinstance(one, int) for one in (*self.indices, *other.indices))
        same = self.address is other.address and len(self.indices) == len(other.indices)
        return known and same and self.indices != other.indices


class _MemoryKind(Enum):
    """What is known of memory, by the pointer that is no view of another."""

    MADE = "made"
    GIVEN = "given"
    """The function is passed it."""
    OTHER = "other"


_MAY_BE = {
    _MemoryKind.MADE: (_MemoryKind.OTHER,),
    _MemoryKind.GIVEN: (_MemoryKind.GIVEN, _MemoryKind.OTHER),
    _MemoryKind.OTHER: (_MemoryKind.MADE, _MemoryKind.GIVEN, _MemoryKind.OTHER),
}
"""Which other memory may be the same."""


class Writing:
    """Where operations of a function begin that may write to some memory, in text order.

    Args:
        spots: where those that store to one place do so.
    """

    def __init__(self, graph: Graph, roots: Roots, spots: dict[int, MemorySpot]) -> None:
        self._graph, self._roots, self._spots = graph, roots, spots
        self._any: list[int] = []
        self._others: list[int] = []
        """Of those that may write to any memory but that whose address does not leave the function."""
        self._by: dict[_MemoryKind, list[int]] = {kind: [] for kind in _MemoryKind}
        """By what is known of the memory."""
        self._to: dict[Value, list[int]] = {}
        """By the pointer to it; also its deallocations."""
        self._unshared: dict[Value, bool] = {}
        for name, ops in graph.named.items():
            model = graph.named_models[name]
            quiet = model is not None and _is_quiet(model)
            for op in ops:
                if op is not graph.function and not (quiet and _only_gives(op)):
                    self._note(op)
        for places in (self._any, self._others, *self._by.values(), *self._to.values()):
            places.sort()

    def _note(self, op: Op) -> None:
        model, start = self._graph.model(op), op.span.start
        if model is None or may_do_anything(op, model):
            (self._any if model is not None and _is_in_background(model) else self._others).append(start)
        if model is None:
            return
        for value in selected(op, model, model.write) if model.write else ():
            root = self._roots.of(value)
            self._by[_kind(self._graph, root)].append(start)
            self._to.setdefault(root, []).append(start)
        for free in frees_of(op, model) if model.free else ():
            self._to.setdefault(self._roots.of(free.value), []).append(start)

    def spares(self, spot: MemorySpot, start: int, stop: int) -> bool:
        """Whether no op that begins in a part of the text may write to a place."""
        memory = self._roots.of(spot.address)
        lists = [self._any, self._to.get(memory, []), *(self._by[kind] for kind in _MAY_BE[_kind(self._graph, memory)])]
        if not self._is_unshared(memory):
            lists.append(self._others)
        return not any(self._is_written(spot, places, start, stop) for places in lists)

    def _is_written(self, spot: MemorySpot, places: list[int], start: int, stop: int) -> bool:
        first = bisect_left(places, start)
        for place in places[first : first + MAX_BESIDE]:
            if place >= stop:
                return False
            store = self._spots.get(place)
            if store is None or not store.is_beside(spot):
                return True
        return first + MAX_BESIDE < len(places) and places[first + MAX_BESIDE] < stop

    def _is_unshared(self, memory: Value) -> bool:
        """Whether memory is made here, and its address does not leave the function."""
        if memory not in self._unshared:
            self._unshared[memory] = _is_made(self._graph, memory) and not self._is_handed_on(memory)
        return self._unshared[memory]

    def _is_handed_on(self, memory: Value) -> bool:
        graph, names, seen = self._graph, [memory], {memory}
        while names:
            for use in names.pop().uses:
                model = graph.model(use.op)
                if model is None or use.successor is not None or use.op.regions or model.terminator:
                    return True
                stored = stored_by(graph, use.op)
                if stored is not None and stored[0] is use.value:
                    return True
                if stored is not None or loaded_by(graph, use.op) is not None:
                    continue
                views = views_of(graph, use.op, model) if model.view else ()
                if not views and not (model.free and not may_do_anything(use.op, model)):
                    return True
                names += (view.result for view in views if view.result not in seen)
                seen.update(view.result for view in views)
        return False


class Roots:
    """What the pointers of a function are views of, as far as each is one of that alone."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._known: dict[Value, Value] = {}

    def of(self, value: Value) -> Value:
        """The pointer that is no view."""
        trail: list[Value] = []
        while value not in self._known:
            self._known[value] = value  # where control never comes it may be a view of itself
            trail.append(value)
            view = view_of(self._graph, value)
            if view is not None:
                value = view.sources[0]
        found = self._known[value]
        self._known.update(dict.fromkeys(trail, found))
        return found


def _is_quiet(model: OpModel) -> bool:
    """Whether an op of a model that only gives something neither writes, nor frees, nor may do anything."""
    acts = model.call is not None or model.opaque or model.acquire or model.inside or model.suspends
    acts = acts or model.restores_stack or model.acts or model.write or model.free
    return not (acts or _is_in_background(model))


def _only_gives(op: Op) -> bool:
    return bool(op.results) and not op.regions and _ACTS not in op.keywords and _ACTS not in op.attributes


def may_do_anything(op: Op, model: OpModel) -> bool:
    """Whether an op may write to memory that it does not name, or lets others do so."""
    if model.call is not None or model.opaque or model.acquire or model.inside or model.suspends:
        return True
    if _is_in_background(model) or model.restores_stack or model.acts or _ACTS in (*op.keywords, *op.attributes):
        return True
    looks = model.read or model.read_if_used
    does = looks or model.write or model.free or model.alloc or model.view
    if op.regions:
        chosen = model.trip is not None or any(edge.guard is not Guard.ALWAYS for edge in model.regions or ())
        return not (chosen or looks or model.write)
    return not (op.results or op.successors or does or model.terminator or model.asserts is not None)


def _is_in_background(model: OpModel) -> bool:
    """Whether an op begins what may go on behind it, or waits for that."""
    begins = model.token is not None or model.tag is not None or model.tasks is not None or model.detached
    return bool(begins or model.threads is not None or model.wait or model.joins)


def _kind(graph: Graph, root: Value) -> _MemoryKind:
    if _is_made(graph, root):
        return _MemoryKind.MADE
    return _MemoryKind.GIVEN if root.block is not None and root.block is graph.entry else _MemoryKind.OTHER


def view_of(graph: Graph, value: Value) -> ViewOf | None:
    """How a value is a view of one other, and of nothing else."""
    model = graph.model(value.op) if value.op is not None else None
    if value.op is None or model is None or not model.view or model.aggregate is not None or model.loaded:
        return None
    view = next((one for one in views_of(graph, value.op, model) if one.result is value), None)
    return view if view is not None and not view.unsure and len(view.sources) == 1 else None


def _is_made(graph: Graph, value: Value) -> bool:
    """Whether a value is new memory."""
    model = graph.model(value.op) if value.op is not None else None
    return model is not None and any(one.result == value.index and not one.per_symbol for one in model.alloc)
