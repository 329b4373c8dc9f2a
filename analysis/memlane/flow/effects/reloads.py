"""Loads that give what another operation loaded from the same place before, or stored there: nothing writes between.

An operation that may write to the memory, on any way from the one to the other, ends what is known of it: a store to
memory that may be the same, a call, a deallocation of it, whatever waits for others, and what is not described. Memory
made here is no other such memory, and none that the function is passed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from enum import Enum
from typing import NamedTuple

from memlane.dialects.model import Guard, OpModel
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.ops_by_name import ops_of
from memlane.flow.derived import query
from memlane.flow.effects.effects import ViewOf
from memlane.flow.effects.plain_accesses import loaded_by, stored_by, subscripts
from memlane.flow.effects.written_effects import frees_of, selected, views_of
from memlane.flow.symbolic.types import may_hold_buffer
from memlane.syntax.names.dominance import dominator_tree
from memlane.syntax.tree.tree import Block, Op, Region, Use, Value

Number = Callable[[Value], "int | None"]
"""Gives the constant that a value is; None for others."""
_MAX_STEPS = 64
"""Blocks and regions between two operations."""
_VOLATILE, _ORDER = frozenset(("volatile", "volatile_")), "ordering"
_ATOMIC = re.compile(r"\satomic\s")
"""How accesses say that others may write there at any time."""
_ACTS = "has_side_effects"
_NAMES = re.compile(r"%[-\w$.#]+")
_TYPES = re.compile(r"\s*\)?\s*(?:,\s*\d+\s*)?:")
"""What follows the operand of a cast: the types, or an alignment."""


class Before(NamedTuple):
    """What a load gives again: `op` stored it, or loaded it before any other."""

    op: Op
    value: Value


class _Spot(NamedTuple):
    """A place: behind which pointer, at which indices; and what is kept there, by its type."""

    address: Value
    indices: tuple[Value | int, ...]
    type: str | None

    def is_beside(self, other: _Spot) -> bool:
        """Whether two places are apart: other elements of one memref."""
        known = all(isinstance(one, int) for one in (*self.indices, *other.indices))
        same = self.address is other.address and len(self.indices) == len(other.indices)
        return known and same and self.indices != other.indices


class _Region(NamedTuple):
    """The blocks of a region: which each has to be reached through, and those that lead to it."""

    dominators: dict[int, int]
    before: dict[Block, list[Block]]


class _Memory(Enum):
    """What is known of memory, by the pointer that is no view of another."""

    MADE = "made"
    GIVEN = "given"
    """The function is passed it."""
    OTHER = "other"


class _Writing:
    """Where operations begin that may write to some memory, in text order.

    Attributes:
        any: to any. `others`: those that may do so behind what the text says, but to memory whose address nobody has.
        by: to what is known of by that alone. `to`: to the memory behind a pointer; also its deallocations.
        spots: where those that store to one place do so.
    """

    def __init__(self) -> None:
        self.any: list[int] = []
        self.others: list[int] = []
        self.by: dict[_Memory, list[int]] = {kind: [] for kind in _Memory}
        self.to: dict[Value, list[int]] = {}
        self.spots: dict[int, _Spot] = {}


_MAY_BE = {
    _Memory.MADE: (_Memory.OTHER,),
    _Memory.GIVEN: (_Memory.GIVEN, _Memory.OTHER),
    _Memory.OTHER: (_Memory.MADE, _Memory.GIVEN, _Memory.OTHER),
}
"""Which other memory may be the same."""


class Reloads:
    """Those of one function, found when the first is asked for."""

    __slots__ = ("_known", "_regions", "_roots", "_same", "_spots", "_unshared", "_writing", "found")

    def __init__(self) -> None:
        self.found: dict[Op, Before] | None = None
        self._known: dict[Op, tuple[_Spot, Value]] = {}
        self._spots: dict[_Spot, list[Op]] = {}
        self._roots: dict[Value, Value] = {}
        self._same: dict[tuple[object, ...], Value] = {}
        """The first pointers that are made in some way of others."""
        self._writing = _Writing()
        self._unshared: dict[Value, bool] = {}
        self._regions: dict[Region, _Region | None] = {}

    def find(self, graph: Graph, number: Number) -> dict[Op, Before]:
        """The loads, with what each gives."""
        if self.found is None:
            self.found = {}
            loads = [op for op in ops_of(graph, lambda model: model.loaded and model.read) if _matters(graph, op)]
            if loads:
                self._look(graph, loads, number)
        return self.found

    def _look(self, graph: Graph, loads: list[Op], number: Number) -> None:
        loaded: dict[_Spot, list[Op]] = {}
        for op in loads:
            spot = self._spot(graph, op, number)
            if spot is not None:
                loaded.setdefault(spot, []).append(op)
        for spot, value, op in self._stores(graph, number):
            self._writing.spots[op.span.start] = spot
            if spot in loaded:
                self._known[op] = spot, value
                self._spots.setdefault(spot, []).append(op)
        for spot, ops in loaded.items():
            if len(ops) > 1 or spot in self._spots:
                self._known.update((op, (spot, op.results[0])) for op in ops)
                self._spots[spot] = sorted((*self._spots.get(spot, ()), *ops), key=_start)
        if not self._spots:
            return
        self._find_writing(graph)
        found: dict[Op, Before] = {}
        for spot in self._spots:
            for op in sorted(loaded[spot], key=_start):  # what comes before on every way stands before
                last = self._before(graph, spot, op)
                if last is not None:
                    found[op] = found.get(last) or Before(last, self._known[last][1])
        self.found = found

    def _stores(self, graph: Graph, number: Number) -> Iterator[tuple[_Spot, Value, Op]]:
        for op in ops_of(graph, lambda model: model.escape and model.write):
            stored = stored_by(graph, op)
            spot = self._spot(graph, op, number) if stored is not None else None
            if stored is not None and spot is not None:
                yield spot, stored[0], op

    def _spot(self, graph: Graph, op: Op, number: Number) -> _Spot | None:
        """Where an op loads from, or stores to."""
        stored = stored_by(graph, op)
        value = stored[0] if stored is not None else loaded_by(graph, op)
        address = next((use for use in op.operands if _is_address(use, stored)), None)
        if value is None or address is None or address.value is None or _is_shared(graph, op):
            return None
        told = subscripts(graph, address)
        if told is None:
            return None
        indices = tuple([one if isinstance(one, int) else self._index(one, number) for one in told])
        return _Spot(self._start_of(graph, address.value), indices, value.type)

    @staticmethod
    def _index(value: Value, number: Number) -> Value | int:
        found = number(value)
        return found if found is not None else value

    # ---- what may write --------------------------------------------------------------------------------------------

    def _find_writing(self, graph: Graph) -> None:
        """Note which ops may write to which memory."""
        found = self._writing
        for op in graph.function.walk():
            model = graph.model(op)
            if op is graph.function:
                continue
            start = op.span.start
            if model is None or _may_do_anything(op, model):
                (found.any if model is not None and _is_in_background(model) else found.others).append(start)
            if model is None:
                continue
            for value in selected(op, model, model.write) if model.write else ():
                root = self._root(graph, value)
                found.by[_kind(graph, root)].append(start)
                found.to.setdefault(root, []).append(start)
            for free in frees_of(op, model) if model.free else ():
                found.to.setdefault(self._root(graph, free.value), []).append(start)

    def _is_unshared(self, graph: Graph, memory: Value) -> bool:
        """Whether memory is made here, and nobody else gets its address."""
        if memory not in self._unshared:
            self._unshared[memory] = _is_made(graph, memory) and not self._is_handed_on(graph, memory)
        return self._unshared[memory]

    def _is_handed_on(self, graph: Graph, memory: Value) -> bool:
        names, seen = [memory], {memory}
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
                if not views and not (model.free and not _may_do_anything(use.op, model)):
                    return True
                names += (view.result for view in views if view.result not in seen)
                seen.update(view.result for view in views)
        return False

    def _is_quiet(self, graph: Graph, spot: _Spot, start: int, stop: int) -> bool:
        """Whether no op that begins in a part of the text may write to a place."""
        memory, known = self._root(graph, spot.address), self._writing
        lists = [known.any, known.to.get(memory, []), *(known.by[kind] for kind in _MAY_BE[_kind(graph, memory)])]
        if not self._is_unshared(graph, memory):
            lists.append(known.others)
        return not any(self._is_written(spot, places, start, stop) for places in lists)

    def _is_written(self, spot: _Spot, places: list[int], start: int, stop: int) -> bool:
        first = bisect_left(places, start)
        for place in places[first : first + _MAX_STEPS]:
            if place >= stop:
                return False
            store = self._writing.spots.get(place)
            if store is None or not store.is_beside(spot):
                return True
        return first + _MAX_STEPS < len(places) and places[first + _MAX_STEPS] < stop

    # ---- pointers --------------------------------------------------------------------------------------------------

    def _root(self, graph: Graph, value: Value) -> Value:
        """What a pointer is a view of, as far as it is one of that alone."""
        if value not in self._roots:
            root, seen = value, {value}
            while (view := _view_of(graph, root)) is not None and view.sources[0] not in seen:
                root = view.sources[0]
                seen.add(root)
            self._roots[value] = root
        return self._roots[value]

    def _start_of(self, graph: Graph, value: Value) -> Value:
        """The first name of a pointer that is made of the same one in the same way; of a cast, what is cast."""
        chain = [value]
        while (view := _view_of(graph, chain[-1])) is not None and view.sources[0] not in chain:
            chain.append(view.sources[0])
        found = chain.pop()
        for one in reversed(chain):
            op = one.op
            if op is None or _is_cast(graph, op):
                continue
            text = _NAMES.sub("%", graph.source[op.name_span.end : op.span.end].partition(" loc(")[0])
            others = [use.value for use in op.operands[1:]]
            found = self._same.setdefault((op.name, "".join(text.split()), found, *others), one)
        return found

    # ---- what comes before -----------------------------------------------------------------------------------------

    def _before(self, graph: Graph, spot: _Spot, load: Op) -> Op | None:
        """The op that loaded what a load gives, or stored it: before, on every way, and it is there still."""
        block, end, index = load.parent, load.span.start, load.index
        for _ in range(_MAX_STEPS):
            if block is None or not block.ops:
                return None
            last = self._last(spot, block, index)
            begin = last.span.end if last is not None else block.ops[0].span.start
            if not self._is_quiet(graph, spot, begin, end):
                return None
            if last is not None:
                return last
            if block.index > 0:
                block = self._through(graph, spot, block)
                if block is None:
                    return None
                end, index = block.ops[-1].span.end, len(block.ops)
            else:
                holder = block.region.op
                if holder is graph.function or not self._is_entered(graph, spot, block.region):
                    return None
                block, end, index = holder.parent, holder.span.start, holder.index
        return None

    def _last(self, spot: _Spot, block: Block, index: int) -> Op | None:
        """The last of the ops of a block, of those before one of them, that loads from a place or stores there."""
        if index == 0:
            return None
        ops = self._spots[spot]
        at = bisect_left(ops, block.ops[index - 1].span.start + 1, key=_start)
        begin = block.ops[0].span.start
        near = (op for op in reversed(ops[max(at - _MAX_STEPS, 0) : at]) if op.span.start >= begin)
        return next((op for op in near if op.parent is block), None)

    def _through(self, graph: Graph, spot: _Spot, block: Block) -> Block | None:
        """The block that all ways to one pass last, where no block between both writes to a place."""
        region = block.region
        if region not in self._regions:
            self._regions[region] = _blocks_of(region)
        known = self._regions[region]
        if known is None or block.index not in known.dominators:
            return None
        above = region.blocks[known.dominators[block.index]]
        pending, seen = [*known.before[block]], set[Block]()
        while pending:
            one = pending.pop()
            if one is above or one in seen:
                continue
            seen.add(one)
            if len(seen) > _MAX_STEPS or not self._is_quiet(graph, spot, one.ops[0].span.start, one.ops[-1].span.end):
                return None
            pending += known.before[one]
        return above

    def _is_entered(self, graph: Graph, spot: _Spot, region: Region) -> bool:
        """Whether what is at a place where control comes into a region is what was there before the op around it."""
        op = region.op
        model = graph.model(op)
        if model is None or not model.regions or _may_do_anything(op, model):
            return False
        if not model.parallel and all(edge.source is None or edge.target is None for edge in model.regions):
            return True
        return self._is_quiet(graph, spot, op.span.start, op.span.end)


def _matters(graph: Graph, load: Op) -> bool:
    """Whether a load gives a flag or a buffer, or a number of which something is computed or decided."""
    if len(load.results) != 1:
        return False
    value = load.results[0]
    if value.type == "i1" or may_hold_buffer(value.type):
        return True
    return any(use.op.regions or use.op.successors or _computes(graph.model(use.op)) for use in value.uses)


def _computes(model: OpModel | None) -> bool:
    return model is not None and model.compute is not None


def _is_address(use: Use, stored: tuple[Value, Value] | None) -> bool:
    """Whether an operand of a load, or of a store, is the pointer: that of a load comes first."""
    return use.index == 0 if stored is None else use.value is stored[1] and stored[0] is not stored[1]


def _is_shared(graph: Graph, op: Op) -> bool:
    """Whether an op accesses memory that others may write to meanwhile, by what it says."""
    if not _VOLATILE.isdisjoint((*op.keywords, *op.attributes)) or not op.attributes.get(_ORDER, "0").startswith("0"):
        return True
    return _ATOMIC.search(graph.source, op.name_span.end, op.span.end) is not None


def _may_do_anything(op: Op, model: OpModel) -> bool:
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


def _kind(graph: Graph, root: Value) -> _Memory:
    if _is_made(graph, root):
        return _Memory.MADE
    return _Memory.GIVEN if root.block is not None and root.block is graph.entry else _Memory.OTHER


def _is_cast(graph: Graph, op: Op) -> bool:
    """Whether a view has the places of what it is made of, under the same indices: nothing else is said of it."""
    after = op.operands[0].span.end
    plain = not op.attributes and len(op.operands) == 1
    return plain and _TYPES.match(graph.source, after, op.span.end) is not None


def _view_of(graph: Graph, value: Value) -> ViewOf | None:
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


def _blocks_of(region: Region) -> _Region | None:
    """The blocks of a region, where the text says how each ends."""
    before: dict[Block, list[Block]] = {block: [] for block in region.blocks}
    for block in region.blocks:
        if not block.ops:
            return None
        for successor in block.ops[-1].successors:
            if successor.block is None:
                return None
            before[successor.block].append(block)
    edges = [(one.index, block.index) for block, ones in before.items() for one in ones]
    return _Region(dominator_tree(len(region.blocks), edges), before)


def _start(op: Op) -> int:
    return op.span.start


def reloads_of(graph: Graph) -> Reloads:
    """Those of a function."""
    return query(graph, _reloads)


def _reloads(_: Graph) -> Reloads:
    return Reloads()
