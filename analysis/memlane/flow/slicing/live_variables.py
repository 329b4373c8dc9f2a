"""Until where the values of a slice are asked: live variables (Kildall, "A unified approach to global program
optimization", 1973), block by block. What is asked inside nested regions is kept until the op is left that stands in
the block where it was made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import defining_block, top
from memlane.flow.dataflow.events import Point
from memlane.flow.slicing.limits import MAX_NEAR_BLOCKS
from memlane.flow.slicing.long_live_ranges import Far
from memlane.flow.slicing.slice import Slice
from memlane.syntax.tree.tree import Block, Op, Region, Value

_NOTHING = frozenset[Value]()


class LiveAtEnd(Protocol):
    """The blocks at whose end a value is still asked for."""

    def __contains__(self, block: Block, /) -> bool: ...

    def add(self, block: Block, /) -> None:
        """It is, at the end of another."""
        ...


class _Ending:
    """Those of one that lasts long."""

    def __init__(self, far: Far, value: Value) -> None:
        self._far, self._value = far, value

    def __contains__(self, block: Block, /) -> bool:
        return self._far.behind(block, self._value)

    def add(self, block: Block, /) -> None:
        """See `LiveAtEnd`."""
        self._far.ends(block, self._value)


class Lasting:
    """See the module.

    Args:
        graph, part: the function and the slice that is followed.
        values: each with the ops that ask for it, and those that ask for what it is bound to.
    """

    def __init__(
        self,
        graph: Graph,
        part: Slice,
        values: Iterable[tuple[Value, Iterable[Op], Iterable[Op]]],
    ) -> None:
        self._graph, self._part = graph, part
        self._along: dict[Edge, frozenset[Value]] = {}
        self._ending: dict[Block, set[Value]] = {}
        self._entering: dict[Block, set[Value]] = {}
        self._handed: dict[Op, set[Value]] = {}
        """What an op with regions asks last, and nothing in these: it is gone once control is inside."""
        self._inner: dict[Op, set[Value]] = {}
        self._before: dict[Region, dict[Block, list[Block]]] = {}
        self._followed: set[Value] = set()
        dying: dict[Point, set[Value]] = {}
        self._far = Far()
        placed = (self._place(value, asks, through, dying) for value, asks, through in values)
        far = [one for one in placed if one is not None]
        self._far.settle(self._preceding)
        for value, last, born in far:
            self._end(value, last, born, _Ending(self._far, value), dying)
        self._after = {point: frozenset(values) for point, values in dying.items()}

    def after(self, point: Point) -> frozenset[Value]:
        """The values that are dead at a point to which the op before it leads."""
        return self._after.get(point, _NOTHING)

    def along(self, edge: Edge, source: Block | None) -> frozenset[Value]:
        """The values that are dead at the start of the block to which an edge leads, from `source` or an op."""
        target = edge.block
        assert target is not None
        source = source if edge.place.successors else None
        far = self._far.gone(source, target)
        return self._near(edge, source, target).union(far) if far else self._near(edge, source, target)

    def known_along(self, edge: Edge, source: Block | None, known: Callable[[], Iterable[Value]]) -> frozenset[Value]:
        """The same, of what is known there alone, as far as it was asked far away: n ways out past n values each would
        be a square."""
        target = edge.block
        assert target is not None
        source = source if edge.place.successors else None
        near = self._near(edge, source, target)
        return near.union(self._far.gone_of(known(), source, target)) if self._far else near

    def _near(self, edge: Edge, source: Block | None, target: Block) -> frozenset[Value]:
        found = self._along.get(edge)
        if found is None:
            ending = self._ending.get(source, ()) if source is not None else ()
            handed = self._handed.get(edge.place, ()) if source is None else ()
            made = (one for one in target.arguments if one in self._followed and one not in self._far)
            there = {*ending, *handed, *made}
            found = self._along[edge] = frozenset(there - self._entering.get(target, set()))
        return found

    def _place(
        self, value: Value, asks: Iterable[Op], through: Iterable[Op], dying: dict[Point, set[Value]]
    ) -> tuple[Value, dict[Block, Op], Block | None] | None:
        """Note where a value is asked for the last time; it is kept where that is not plain. What is given back is to
        be noted once it is known until where all those last that do so long."""
        home = defining_block(value)
        born = home if home is not None and self._within(home.region) else None
        region = home.region if home is not None and born is not None else self._part.scope
        start = value.op.index if value.op is not None else -1
        last: dict[Block, Op] = {}
        holding, asking = set[Op](), set(asks)
        for op in (*asking, *through):
            outer = top(op, region)
            if outer is None and op not in asking:
                continue  # there what it is bound to is gone
            if outer is None or outer.parent is None or (outer.parent is born and outer.index <= start):
                return None
            if outer is not op:
                holding.add(outer)
            known = last.get(outer.parent)
            if known is None or known.index < outer.index:
                last[outer.parent] = outer
        self._followed.add(value)
        lasting = self._lasting(value, last, born, region)
        if lasting is None:
            self._far.add(value, last, born, region)
            return value, last, born
        self._end(value, last, born, lasting, dying)
        for block in lasting:
            self._ending.setdefault(block, set()).add(value)
        for block, outer in last.items():
            if block not in lasting and outer not in holding and self._hands_over(outer, value):
                self._handed.setdefault(outer, set()).add(value)
        return None

    def _hands_over(self, op: Op, value: Value) -> bool:
        """Whether the name of a buffer is of no use to an op once control is in its regions."""
        if not op.regions or value not in self._part.root or value in self._part.scalars:
            return False
        inner = self._inner.get(op)
        if inner is None:
            edges = (edge for region in op.regions for block in region.blocks for edge in self._graph.exits(block))
            inner = self._inner[op] = {given for edge in edges for given, _ in edge.bindings if given is not None}
        return value not in inner

    def _end(
        self,
        value: Value,
        last: dict[Block, Op],
        born: Block | None,
        lasting: LiveAtEnd,
        dying: dict[Point, set[Value]],
    ) -> None:
        """Note where a value dies that is asked in some blocks for the last time, and lasts to the end of others."""
        if born is not None and value.op is not None and born not in last and born not in lasting:
            last[born] = value.op
        for block, outer in last.items():
            at = self._part.position.get(outer)
            if block in lasting or at is None or outer is block.ops[-1]:
                lasting.add(block)
            else:
                dying.setdefault(Point(block, at + 1), set()).add(value)

    def _lasting(self, value: Value, last: dict[Block, Op], born: Block | None, region: Region) -> set[Block] | None:
        """The blocks at whose end a value is still asked for; None: there are many."""
        lasting: set[Block] = set()
        pending = list(last)
        entered: set[Block] = set()
        while pending:
            block = pending.pop()
            if block in entered:
                continue
            entered.add(block)
            if len(entered) > MAX_NEAR_BLOCKS:
                return None
            if block is not born:
                before = self._preceding(region).get(block, ())
                lasting.update(before)
                pending.extend(before)
        for block in entered if value.block is not None else entered - {born}:
            self._entering.setdefault(block, set()).add(value)
        return lasting

    def _preceding(self, region: Region) -> dict[Block, list[Block]]:
        found = self._before.get(region)
        if found is None:
            found = self._before[region] = {}
            blocks = self._part.blocks if region is self._part.scope else region.blocks
            for block in blocks if len(blocks) > 1 else ():
                for edge in self._part.exits(block):
                    if edge.block is not None and edge.block.region is region:
                        found.setdefault(edge.block, []).append(block)
        return found

    def _within(self, region: Region) -> bool:
        """Whether a region is that of the slice, or inside it."""
        inner: Region | None = region
        while inner is not None and inner is not self._part.scope:
            inner = inner.op.parent.region if inner.op.parent is not None else None
        return inner is not None
