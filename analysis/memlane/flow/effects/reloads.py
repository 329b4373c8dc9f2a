"""Loads that give what another operation loaded from the same place before, or stored there: nothing writes between.

An operation that may write there (may_write.py), on any way from the one to the other, ends what is known of it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from memlane.dialects.model import OpModel
from memlane.flow.cfg.graph import Graph
from memlane.flow.effects.limits import MAX_STEPS
from memlane.flow.effects.may_write import MemorySpot, Roots, Writing, may_do_anything, view_of
from memlane.flow.effects.plain_accesses import as_written, loaded_by, stored_by, subscripts
from memlane.flow.symbolic.types import is_integer, may_hold_buffer
from memlane.lazy import regex
from memlane.syntax.names.dominance import dominator_tree
from memlane.syntax.tree.tree import Block, Op, Region, Use, Value, starts_at

Number = Callable[[Value], "int | None"]
"""Gives the constant that a value is; None for others."""
_VOLATILE, _ORDER = frozenset(("volatile", "volatile_")), "ordering"
_ATOMIC = regex(r"\satomic\s")
"""How accesses say that others may write there at any time."""
_COMPARES = "cmpf"
_NAMES = regex(r"%[-\w$.#]+")
_TYPES = regex(r"\s*\)?\s*(?:,\s*\d+\s*)?:")
"""What follows the operand of a cast: the types, or an alignment."""


class Before(NamedTuple):
    """What a load gives again: `op` stored it, or loaded it before any other."""

    op: Op
    value: Value


def reloads(graph: Graph, number: Number) -> Mapping[Op, Before]:
    """Those of a function, with what each gives."""
    loads: list[Op] = []
    stores: list[Op] = []
    for name, model in graph.named_models.items():
        if model is not None and (model.loaded or model.escape):
            if model.loaded and model.read:
                loads += (op for op in graph.named[name] if _matters(graph, op))
            elif model.write:
                stores += graph.named[name]
    return _Reloads(graph, number).found(loads, stores) if loads else {}


class _Access(NamedTuple):
    """A load or a store: the operand that says where, and what is loaded or stored."""

    op: Op
    address: Use
    value: Value


class _Region(NamedTuple):
    """The blocks of a region: which each has to be reached through, and those that lead to it."""

    dominators: dict[int, int]
    before: dict[Block, list[Block]]


class _Reloads:
    def __init__(self, graph: Graph, number: Number) -> None:
        self._graph, self._number, self._roots = graph, number, Roots(graph)
        self._at: dict[MemorySpot, list[Op]] = {}
        """The loads and stores of each place, in text order."""
        self._firsts: dict[Value, Value] = {}
        self._made: dict[tuple[object, ...], Value] = {}
        """The first pointers that are made in some way of others."""
        self._regions: dict[Region, _Region | None] = {}

    def found(self, loads: list[Op], stores: list[Op]) -> Mapping[Op, Before]:
        """See `reloads`."""
        loaded: dict[MemorySpot, list[Op]] = {}
        stored: dict[int, MemorySpot] = {}
        values: dict[Op, Value] = {}
        for one in self._accesses(loads, stores):
            spot = self._spot(one)
            if spot is not None:
                values[one.op] = one.value
                self._at.setdefault(spot, []).append(one.op)
                if one.op.results:
                    loaded.setdefault(spot, []).append(one.op)
                else:
                    stored[one.op.span.start] = spot
        some = [spot for spot in loaded if len(self._at[spot]) > 1]
        found: dict[Op, Before] = {}
        if some:
            writing = Writing(self._graph, self._roots, stored)
            for spot in some:
                self._at[spot].sort(key=starts_at)
                for op in sorted(loaded[spot], key=starts_at):  # what comes before on every way stands before
                    last = self._before(writing, spot, op)
                    if last is not None:
                        found[op] = found.get(last) or Before(last, values[last])
        return found

    def _accesses(self, loads: list[Op], stores: list[Op]) -> Iterator[_Access]:
        """The loads, and the stores to the same memory, where these are several."""
        found: dict[tuple[Value, str | None], list[_Access]] = {}
        for op in loads:
            value, address = loaded_by(self._graph, op), op.operands[0] if op.operands else None
            if value is not None and address is not None and address.value is not None:
                key = self._roots.of(address.value), value.type
                found.setdefault(key, []).append(_Access(op, address, value))
        for op in stores if found else ():
            stored = stored_by(self._graph, op)
            if stored is not None and stored[0] is not stored[1]:
                several = found.get((self._roots.of(stored[1]), stored[0].type))
                if several is not None:
                    address = next(use for use in op.operands if use.value is stored[1])
                    several.append(_Access(op, address, stored[0]))
        return (one for several in found.values() if len(several) > 1 for one in several)

    # ---- places ----------------------------------------------------------------------------------------------------

    def _spot(self, access: _Access) -> MemorySpot | None:
        """Where an op loads from, or stores to; None where others may write there at any time."""
        address = access.address
        if address.value is None or _is_shared(self._graph, access.op):
            return None
        found = subscripts(self._graph, address)
        found = as_written(self._graph, address) if found is None else found
        if found is None:
            return None
        indices = tuple([self._index(one) if isinstance(one, Value) else one for one in found])
        return MemorySpot(self._first(address.value), indices, access.value.type)

    def _index(self, value: Value) -> Value | int:
        found = self._number(value)
        return found if found is not None else value

    def _first(self, value: Value) -> Value:
        """The first name of a pointer that is made of the same one in the same way; of a cast, what is cast."""
        trail: list[Value] = []
        while value not in self._firsts:
            self._firsts[value] = value  # where control never comes it may be a view of itself
            view = view_of(self._graph, value)
            if view is None:
                break
            trail.append(value)
            value = view.sources[0]
        found = self._firsts[value]
        for one in reversed(trail):
            op = one.op
            if op is not None and not _is_cast(self._graph, op):
                text = _NAMES.sub("%", self._graph.source[op.name_span.end : op.span.end].partition(" loc(")[0])
                others = [use.value for use in op.operands[1:]]
                found = self._made.setdefault((op.name, "".join(text.split()), found, *others), one)
            self._firsts[one] = found
        return found

    # ---- what comes before -----------------------------------------------------------------------------------------

    def _before(self, writing: Writing, spot: MemorySpot, load: Op) -> Op | None:
        """The op that loaded what a load gives, or stored it: before, on every way, and it is there still."""
        block, end, index = load.parent, load.span.start, load.index
        for _ in range(MAX_STEPS):
            if block is None or not block.ops:
                return None
            last = self._last(spot, block, index)
            begin = last.span.end if last is not None else block.ops[0].span.start
            if not writing.spares(spot, begin, end):
                return None
            if last is not None:
                return last
            if block.index > 0:
                block = self._through(writing, spot, block)
                if block is None:
                    return None
                end, index = block.ops[-1].span.end, len(block.ops)
            else:
                holder = block.region.op
                if holder is self._graph.function or not self._is_entered(writing, spot, block.region):
                    return None
                block, end, index = holder.parent, holder.span.start, holder.index
        return None

    def _last(self, spot: MemorySpot, block: Block, index: int) -> Op | None:
        """The last of the ops of a block, of those before one of them, that loads from a place or stores there."""
        if index == 0:
            return None
        ops = self._at[spot]
        at = bisect_left(ops, block.ops[index - 1].span.start + 1, key=starts_at)
        begin = block.ops[0].span.start
        near = (op for op in reversed(ops[max(at - MAX_STEPS, 0) : at]) if op.span.start >= begin)
        return next((op for op in near if op.parent is block), None)

    def _through(self, writing: Writing, spot: MemorySpot, block: Block) -> Block | None:
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
            if len(seen) > MAX_STEPS or not writing.spares(spot, one.ops[0].span.start, one.ops[-1].span.end):
                return None
            pending += known.before[one]
        return above

    def _is_entered(self, writing: Writing, spot: MemorySpot, region: Region) -> bool:
        """Whether what is at a place where control comes into a region is what was there before the op around it."""
        op = region.op
        model = self._graph.model(op)
        if model is None or not model.regions or may_do_anything(op, model):
            return False
        if not model.parallel and all(edge.source is None or edge.target is None for edge in model.regions):
            return True
        return writing.spares(spot, op.span.start, op.span.end)


def _matters(graph: Graph, load: Op) -> bool:
    """Whether a load gives a flag or a buffer, or a number of which something is computed or decided."""
    if len(load.results) != 1:
        return False
    value = load.results[0]
    if value.type == "i1" or may_hold_buffer(value.type):
        return True
    number = is_integer(value.type)  # others only decide where they are compared
    return any((number and _decides(use.op)) or _computes(graph.model(use.op), number) for use in value.uses)


def _decides(op: Op) -> bool:
    return bool(op.regions or op.successors)


def _computes(model: OpModel | None, number: bool) -> bool:
    return model is not None and model.compute is not None and (number or model.compute == _COMPARES)


def _is_shared(graph: Graph, op: Op) -> bool:
    """Whether an op accesses memory that others may write to meanwhile, by what it says."""
    if not _VOLATILE.isdisjoint((*op.keywords, *op.attributes)) or not op.attributes.get(_ORDER, "0").startswith("0"):
        return True
    return _ATOMIC.search(graph.source, op.name_span.end, op.span.end) is not None


def _is_cast(graph: Graph, op: Op) -> bool:
    """Whether a view has the places of what it is made of, under the same indices: nothing else is said of it."""
    after = op.operands[0].span.end
    plain = not op.attributes and len(op.operands) == 1
    return plain and _TYPES.match(graph.source, after, op.span.end) is not None


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
