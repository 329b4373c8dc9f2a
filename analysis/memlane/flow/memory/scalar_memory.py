"""Flags that are kept in variables: what is stored in local memory is what is loaded there (pointer_memory.py).

A flag is a condition or a constant, or a number that the function is passed or that a call gives; a number that is only
ever set to constants is one, too. Whatever else is counted in a variable is not followed: each round of a loop would
have a number of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence, Set
from typing import NamedTuple

from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.ops_by_name import ops_of
from memlane.flow.derived import query
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.limits import MAX_NEAR, MAX_STORES, MAX_VARIABLES_ALL_FOLLOWED
from memlane.flow.memory.memory_accesses import MemoryAccess
from memlane.flow.memory.pointer_memory import accesses_of, variable_of
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.scalars.locations import Location
from memlane.flow.symbolic.scalar import Expr, operands
from memlane.syntax.tree.tree import Block, Op, Region, Value

_FLAGS = ("i1", "i8", "i16", "i32", "i64", "index")
_TRUTHS = ("cmpi", "andi", "ori", "xori", "select")


class FlagAccess(NamedTuple):
    """A load of a flag from a variable, or a store to it.

    Args:
        name: stands for the variable: a value that no op and no block defines.
        value: what is loaded or stored.
        stores: the ops that store to the variable, with what they store; none: this is a store itself.
        loads: what is loaded from it, wherever.
        made: the op that makes the variable. freed: those that give it back: what was there is gone.
    """

    name: Value
    value: Value
    stores: tuple[tuple[Op, Value], ...]
    loads: tuple[Value, ...]
    made: Op
    freed: tuple[Op, ...]

    def sources(self, graph: Graph) -> Iterator[tuple[Expr, Op]]:
        """What may be loaded, each with the op that puts it there; and the ops that make the variable, once more, and
        give it back."""
        yield from ((scalar_of(graph, value), op) for op, value in self.stores)
        yield from ((("const", 0), op) for op in self.freed)
        home = self.made.parent
        if home is not None and (home.index > 0 or home.region.op is not graph.function):
            yield ("const", 0), self.made


class Cells:
    """The variables of one function that hold flags, found when one of them is asked for."""

    __slots__ = ("_count", "_decided", "_ended", "_found", "_known", "_ways")

    def __init__(self) -> None:
        self._known: dict[Op, FlagAccess] = {}
        self._ended: dict[Op, list[Value]] = {}
        self._decided: dict[Value, list[Op]] = {}
        self._ways: dict[Region, Counter[Block]] = {}
        self._found = False
        self._count = 0

    def at(self, op: Op) -> FlagAccess | None:
        """What an op does, of those that have been found."""
        return self._known.get(op)

    def ended(self, op: Op) -> Sequence[Value]:
        """The names of the variables of which an op ends what was there: it gives them back, or makes them, anew each
        time it is executed."""
        return self._ended.get(op, ())

    def of(self, graph: Graph, load: Op, buffers: Container[Value]) -> FlagAccess | None:
        """What a load of a number does; None where it does not load a flag from a variable, or is irrelevant.

        Args:
            buffers: what is followed. Where there are many variables, those matter that decide what is freed or made
                of it: of all of them there would be too many combinations.
        """
        if len(load.results) != 1 or load.results[0].type not in _FLAGS or load.regions:
            return None
        self.find(graph)
        cell = self._known.get(load)
        many = self._count > MAX_VARIABLES_ALL_FOLLOWED
        return cell if cell is not None and (not many or self._matters(graph, cell, buffers)) else None

    def groups(self, graph: Graph) -> dict[Op, tuple[frozenset[Op], frozenset[Op]]]:
        """Of each op that has to do with variables, all that have to do with those, and the ops by which it is decided
        whether these matter, where that is asked."""
        self.find(graph)
        found: dict[Value, tuple[set[Op], set[Op]]] = {}
        for op, cell in self._known.items():
            if cell.name not in found:
                found[cell.name] = {cell.made, *cell.freed}, set(self._changing(graph, cell))
            found[cell.name][0].add(op)
        merged: dict[Op, tuple[frozenset[Op], frozenset[Op]]] = {}
        for those, deciding in found.values():
            for op in those:  # one op may make several variables
                variable, others = merged.get(op, (frozenset[Op](), frozenset[Op]()))
                merged[op] = variable | those, others | deciding
        return merged

    def _changing(self, graph: Graph, cell: FlagAccess) -> Iterator[Op]:
        """The ops that are looked at where it is asked whether a variable matters, and free something or make it."""
        if self._count > MAX_VARIABLES_ALL_FOLLOWED:
            for op in self._ops_decided(cell):
                effects = effects_at(graph, op)
                if effects.allocs or effects.frees:
                    yield op

    def find(self, graph: Graph) -> bool:
        """Find the variables; gives whether there are any."""
        if not self._found:
            self._found = True
            loading = ops_of(graph, lambda model: model.loaded and model.read)
            loads = (op for op in loading if op.results and op.results[0].type in _FLAGS)
            for memory in dict.fromkeys(variable_of(graph, load) for load in loads):
                if memory is not None and memory.op is not None:
                    self._look(graph, memory, memory.op)
        return bool(self._known)

    def _look(self, graph: Graph, memory: Value, made: Op) -> None:
        places: dict[Location, list[MemoryAccess]] = {}
        found, freed = accesses_of(graph, memory)
        for one in found:
            places.setdefault(one.place, []).append(one)
        if len(places) > 1 and any(one.filled for accesses in places.values() for one in accesses):
            return  # one op stores to several
        for accesses in places.values():
            if not any(_meanwhile(graph, one.address.op, made) for one in accesses):
                self._find(graph, made, accesses, tuple(freed))

    def _matters(self, graph: Graph, cell: FlagAccess, buffers: Container[Value]) -> bool:
        """Whether one of the buffers is freed or made where it depends on a variable whether control comes."""
        for op in self._ops_decided(cell):
            effects = effects_at(graph, op)
            changed = (*(made for made, _ in effects.allocs), *(free.value for free in effects.frees))
            if any(value in buffers for value in changed):
                return True
        return False

    def _ops_decided(self, cell: FlagAccess) -> Sequence[Op]:
        if cell.name not in self._decided:
            self._decided[cell.name] = [op for load in cell.loads[:MAX_STORES] for op in self._decided_by(load)]
        return self._decided[cell.name]

    def _decided_by(self, flag: Value) -> Iterator[Op]:
        """The ops that are executed or not by what a flag is, where that is plain: in blocks to which one way leads,
        which begins behind a branch, or in the regions of an op."""
        values, seen = [flag], {flag}
        while values:
            for use in values.pop().uses:
                yield from self._behind(use.op)
                if not use.op.regions and len(seen) < MAX_NEAR:
                    values += (one for one in use.op.results if one not in seen)
                    seen.update(use.op.results)

    def _behind(self, op: Op) -> Iterator[Op]:
        pending, looked = _next([op]), 0
        while pending and looked < MAX_NEAR:
            block, looked = pending.pop(), looked + 1
            if block.region not in self._ways:
                self._ways[block.region] = Counter(_next([one.ops[-1] for one in block.region.blocks if one.ops]))
            if self._ways[block.region][block] < 2:
                yield from block.ops
                pending += _next(block.ops)

    def _find(self, graph: Graph, made: Op, accesses: list[MemoryAccess], freed: tuple[Op, ...]) -> None:
        """Note what is done to one place."""
        type_ = next(one.value.type for one in accesses if not one.filled)
        loaded = dict.fromkeys(one.value for one in accesses if one.value in one.address.op.results)
        stores = tuple([(one.address.op, one.value) for one in accesses if one.value not in loaded])
        if type_ not in _FLAGS or not stores or len(stores) > MAX_STORES:
            return
        stored = [scalar_of(graph, value) for _, value in stores if not _given(graph, value)]
        if not _flags(stored, loaded.keys(), type_ == "i8"):
            return
        address = accesses[0].address
        name = Value(address.name, address.span.start, len(address.name), type_, 0)
        self._count += 1
        for op in (made, *freed):
            self._ended.setdefault(op, []).append(name)
        for one in accesses:
            here = stores if one.value in loaded else ()
            self._known[one.address.op] = FlagAccess(name, one.value, here, tuple(loaded), made, freed)


def is_name(value: Value) -> bool:
    """Whether a value stands for a variable."""
    return value.op is None and value.block is None


def has_cells(graph: Graph) -> bool:
    """Whether a function keeps flags in variables."""
    return cells_of(graph).find(graph)


def cells_of(graph: Graph) -> Cells:
    """The variables of a function that hold flags."""
    return query(graph, _cells)


def _cells(_: Graph) -> Cells:
    return Cells()


def _meanwhile(graph: Graph, op: Op, made: Op) -> bool:
    """Whether an op may run at the same time as what stands behind the op around it, in which memory is not made."""
    while op.parent is not None and op.parent.region is not (made.parent.region if made.parent is not None else None):
        op = op.parent.region.op
        model = graph.model(op)
        if model is None or model.detached or effects_at(graph, op).completion:
            return True
    return False


def _next(ops: Iterable[Op]) -> list[Block]:
    """The blocks of ops' regions, and those to which they branch."""
    found: list[Block] = []
    for op in ops:
        found += (block for region in op.regions for block in region.blocks)
        found += (one.block for one in op.successors if one.block is not None)
    return found


def _flags(stored: list[Expr], loaded: Set[Value], small: bool) -> bool:
    """Whether all that is stored are constants (of a byte, 0 and 1), conditions, or what was loaded there."""
    if all(one[0] == "const" for one in stored):
        return not small or all(one[1] in (0, 1) for one in stored)
    return all(_is_flag(one, loaded) for one in stored)


def _given(graph: Graph, value: Value) -> bool:
    """Whether a value is one that the function is passed, or that another one gives."""
    if scalar_of(graph, value)[0] != "leaf":
        return False
    return value.block is graph.entry if value.op is None else graph.call(value.op) is not None


def _is_flag(expr: Expr, loaded: Set[Value]) -> bool:
    if expr[0] == "const":
        return expr[1] in (0, 1)
    if expr[0] == "select" and expr[2][0] == expr[3][0] == "const":  # a flag that is widened with its sign
        return {expr[2][1], expr[3][1]} <= {-1, 0, 1} and _is_flag(expr[1], loaded)
    if expr[0] == "leaf":
        return expr[1].type == "i1" or expr[1] in loaded
    return expr[0] == "cmpi" or (expr[0] in _TRUTHS and all(_is_flag(one, loaded) for one in operands(expr)))
