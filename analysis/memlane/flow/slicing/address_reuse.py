"""Whether two buffers may have had the same address: memory that is freed may be given out again.

Buffers that live at once never share memory. Those that do not may, so that what compares their addresses decides
nothing: where control may come from a deallocation of one to an op that makes the other.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Set
from functools import cached_property

from memlane.flow.alias.alias import Cluster
from memlane.flow.cfg.callee import called
from memlane.flow.cfg.dominators import trees_of
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import places_around
from memlane.flow.dataflow.call_outcomes import Callees
from memlane.flow.dataflow.state import Instance, State
from memlane.flow.derived import query
from memlane.flow.memory.call_arguments import arguments_of
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.scalar import compares
from memlane.flow.symbolic.types import is_pointer
from memlane.syntax.tree.tree import Block, Op, Region, Value


class Reuse:
    """See the module.

    Args:
        part: what is followed; buffers of other clusters are looked up among their own.
        callees: know what calls may free; None: any may free what it is passed.
    """

    def __init__(self, graph: Graph, part: Slice, callees: Callees | None) -> None:
        self._graph = graph
        self._part = part
        self._callees = callees
        self._known: dict[tuple[Op, Op, Op | None], bool] = {}
        self._freed: dict[Value, tuple[Op, ...]] = {}
        self._named: dict[tuple[Cluster, Op], bool] = {}

    def may_be_one(self, left: Value, one: Instance | None, right: Value, other: Instance | None) -> bool:
        """Whether the addresses of two values may be the same, though their buffers (None: not followed) differ."""
        if one is not None and other is not None:
            return one.reused or other.reused
        return self._follows(left, one, right, other) or self._follows(right, other, left, one)

    def is_new(self, value: Value) -> bool:
        """Whether a value is surely memory made in the function: no null pointer, whatever is known of its buffer."""
        seen: set[Value] = set()  # where control never comes a view may be one of itself
        while value.op is not None and value not in seen:
            seen.add(value)
            effects = effects_at(self._graph, value.op)
            view = next((one for one in effects.views if one.result is value), None)
            if view is None:
                return any(made is value and alloc.resource != "global" for made, alloc in effects.allocs)
            if view.unsure or len(view.sources) != 1:
                return False
            value = view.sources[0]
        return False

    def made(self, state: State) -> State:
        """A buffer is about to be made: in the memory of one that is freed, perhaps."""
        freed = [held for held in state.heap if held.freed is not None and held.holders and not held.reused]
        if freed and self._asked:
            for held in freed:
                state = state.replace(held, held._replace(reused=True))
        return state

    @cached_property
    def _asked(self) -> bool:
        return compares_addresses(self._graph)

    def _follows(self, left: Value, one: Instance | None, right: Value, other: Instance | None) -> bool:
        """Whether the buffer of `right` may be made after that of `left` is freed, and `left` be asked of then."""
        frees = self._frees(left, one)
        again = self._redefined(left) if frees else None
        every = [made for made in self._made(right, other) if self._is_named(left, made)] if frees else []
        return any(self._comes(freed, made, again) for freed in frees for made in every)

    def _frees(self, value: Value, held: Instance | None) -> tuple[Op, ...]:
        """What frees the buffer, or may."""
        if held is not None:
            return (held.freed,) if held.freed is not None else ()
        found = self._freed.get(value)
        if found is None:
            cluster = self._part.among(value)
            names = cluster.root if cluster is not None and not _is_global(cluster, value) else {}
            ops = dict.fromkeys(use.op for name in names for use in name.uses)
            found = self._freed[value] = tuple([op for op in ops if self._frees_one(op, names)])
        return found

    def _frees_one(self, op: Op, names: Container[Value | None]) -> bool:
        return self._may_free(op, names) or any(free.value in names for free in effects_at(self._graph, op).frees)

    def _may_free(self, op: Op, names: Container[Value | None]) -> bool:
        """Whether an op calls a function with a body which may free the buffer of one of some names."""
        call = self._graph.call(op)
        symbol = called(op, call, self._graph.models) if call is not None else None
        if symbol is None or symbol not in self._graph.defined:
            return False
        may = self._callees.may_free(op) if self._callees is not None else None
        return may is None or any(at in may for at, one in enumerate(arguments_of(self._graph, op)) if one in names)

    def _made(self, value: Value, held: Instance | None) -> Iterator[Op]:
        cluster = self._part.among(value) if held is None else None
        origins = [held.origin] if held is not None else cluster.origins if cluster is not None else []
        yield from (origin.value.op for origin in origins if origin.value.op is not None and origin.made_anew)

    def _redefined(self, value: Value) -> Op | None:
        """The op that makes the buffer of `value`, if the value is not forwarded: executing it again redefines the
        value."""
        cluster = self._part.among(value)
        root = cluster.root.get(value) if cluster is not None else None
        made = cluster is not None and any(origin.value is root for origin in cluster.origins)
        return root.op if root is not None and made else None

    def _is_named(self, value: Value, target: Op) -> bool:
        """Whether a name that the buffer of `value` may have is defined at an op: what names it behind that is handed
        on from there, or else is another one."""
        cluster = self._part.among(value)
        if cluster is None:
            return True
        key = cluster, target
        if key not in self._named:
            made = {origin.value for origin in cluster.origins}
            around = _by_region(self._graph, target)
            roots = dict.fromkeys(cluster.root.values())
            self._named[key] = any(_is_found(one, made) or _is_defined(self._graph, one, around) for one in roots)
        return self._named[key]

    def _comes(self, start: Op, target: Op, past: Op | None) -> bool:
        key = start, target, past
        if key not in self._known:
            self._known[key] = comes(self._graph, start, target, past)
        return self._known[key]


def _is_global(cluster: Cluster, value: Value) -> bool:
    """Whether a value is a global, or a view of one: it is there as long as the program is."""
    root = cluster.root.get(value)
    return any(origin.value is root and origin.resource == "global" for origin in cluster.origins)


def compares_addresses(graph: Graph) -> bool:
    """Whether an op of the function compares addresses. Each slice asks."""
    return query(graph, _compares_addresses)


def _compares_addresses(graph: Graph) -> bool:
    kinds = {name: model.compute for name, model in graph.named_models.items() if model is not None}
    comparing = [op for name, kind in kinds.items() if kind == "cmpi" for op in graph.named[name]]
    if "pointer" not in kinds.values():  # then only bare pointers are addresses
        operands = (use.value for op in comparing for use in op.operands)
        return any(value is not None and is_pointer(value.type) for value in operands)
    return any(compares(scalar_of(graph, result)) for op in comparing for result in op.results)


def comes(graph: Graph, start: Op, target: Op, past: Op | None) -> bool:
    """Whether control may come from behind `start` to `target`, and on from there, without executing `past`.

    `past` makes a value of which is asked then: it comes before `start`, and before `target` or else again behind that.
    """
    around = _by_region(graph, target)
    if past is not None and not _dominates(graph, past, around):
        return False
    holders = {one for one, _ in places_around(graph, past)} if past is not None else set[Op]()
    met = False
    for op, block in places_around(graph, start):
        last = around.get(block.region)
        if last is None:
            continue
        if last is op:  # both are inside, or one is the other
            if any(map(graph.may_repeat, op.regions)) and op not in holders:
                return True
        elif not met and _along(graph, op, last, holders):
            return True
        met = True
    return False


def comes_through(graph: Graph, op: Op, target: Op) -> bool:
    """Whether control comes to `target` only through `op`."""
    return _dominates(graph, op, _by_region(graph, target))


def _by_region(graph: Graph, op: Op) -> dict[Region, Op]:
    """An op and those around it, by the regions in which they are."""
    return {block.region: one for one, block in places_around(graph, op)}


def _along(graph: Graph, start: Op, target: Op, past: Set[Op]) -> bool:
    """The same of ops of one region's blocks. `past`: the op itself and those around it."""
    assert start.parent is not None
    block, there = start.parent, target.parent
    if block is there and start.index < target.index:
        return True
    stop = {op.parent: op for op in past}
    met = _met(graph, block, {at for at in stop if at is not None})
    return there in met and (there not in stop or stop[there].index >= target.index)


def _is_found(value: Value, made: Container[Value]) -> bool:
    """Whether a value is a buffer that comes from elsewhere, as from memory, where it may have been kept. `made`: new
    buffers."""
    return value.op is not None and not value.op.regions and value not in made


def _is_defined(graph: Graph, value: Value, around: Mapping[Region, Op]) -> bool:
    """Whether a value is defined at a place. `around`: the ops around that, by their regions."""
    if value.op is not None:
        return _dominates(graph, value.op, around)
    return value.block is not None and _is_passed(graph, value.block, -1, around)


def _dominates(graph: Graph, op: Op, around: Mapping[Region, Op]) -> bool:
    """Whether control comes to a place only through `op`. `around`: the ops around the place, by their regions."""
    return op.parent is not None and _is_passed(graph, op.parent, op.index, around)


def _is_passed(graph: Graph, block: Block, index: int, around: Mapping[Region, Op]) -> bool:
    """The same of a place in a block; -1: its start."""
    last = around.get(block.region)
    if last is None or last.parent is None:
        return False
    if last.parent is block:
        return index < last.index
    return trees_of(graph, block.region).forth.dominates(block.index, last.parent.index)


def _met(graph: Graph, start: Block, stops: Set[Block]) -> set[Block]:
    """The blocks of a region to which control may come from the end of one; it goes on from all but some."""
    pending, seen = [start], set[Block]()
    while pending:
        for edge in graph.exits(pending.pop()):
            after = edge.block
            if after is not None and after not in seen and after.region is start.region:
                seen.add(after)
                if after not in stops:
                    pending.append(after)
    return seen
