"""What a path may forget: names of buffers that nothing uses any more, and conditions that nothing asks again.

Two paths that differ in nothing else go on alike, whatever comes: they are one state (live variables: Kildall, "A
unified approach to global program optimization", 1973, of names and conditions alike). Where a name or a condition is
asked inside nested regions, it is kept until the op is left that stands in the block where it was made.
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.flow.alias import OriginKind
from memlane.flow.effects import Effects
from memlane.flow.events import Point
from memlane.flow.graph import Edge, Graph
from memlane.flow.scalar import Expr, leaves, operands, pointed
from memlane.flow.slice import Slice
from memlane.flow.state import State
from memlane.flow.within import defining_block, edges_within, trips_of
from memlane.syntax.tree import Block, Op, Region, Value

MOST_PLACES = 64
"""Places at which a condition is asked through others that are bound to it, before it is kept for good."""
_NOTHING = frozenset[Value]()


class Fading:
    """See the module.

    Args:
        graph, part: the function and the slice that is followed.
        summarise: the caller asks of arguments what has become of them, and what is known of them.
        names: names of buffers are forgotten as well; else conditions alone.
    """

    def __init__(self, graph: Graph, part: Slice, summarise: bool, names: bool = True) -> None:
        self._graph, self._part = graph, part
        self._along: dict[int, frozenset[Value]] = {}
        self._ending: dict[Block, set[Value]] = {}
        self._entering: dict[Block, set[Value]] = {}
        self._before: dict[Region, dict[Block, list[Block]]] = {}
        self._leaves: dict[Expr, frozenset[Value]] = {}
        self._asks: dict[Value, set[Op]] = {}
        self._through: dict[Value, set[Op]] = {}
        self._bound: dict[Value, set[Value]] = {}
        self._kept: set[Value] = set() if names else set(part.root)
        self._ask()
        self._name()
        if summarise or not names:  # also by those who ask for sizes
            self._kept.update(value for expr in part.wanted for value in leaves(expr))
        self._keep(summarise)
        self._followed: set[Value] = set()
        dying: dict[Point, set[Value]] = {}
        for value in self._asks:
            if value not in self._kept:
                self._place(value, dying)
        self._after = {point: frozenset(values) for point, values in dying.items()}

    # ---- what is asked where -----------------------------------------------------------------------------------

    def _ask(self) -> None:
        graph, part = self._graph, self._part
        ops, edges = [*part.position], [edge for block in part.blocks for edge in graph.exits(block)]
        for op, trip in trips_of(graph, ops):
            self._kept.update(leaves(trip.counter))
            for expr in (trip.lower, trip.upper, trip.step):
                self._asked(expr, op)
        for op in ops:
            if op is not graph.function:
                edges.extend(edges_within(graph, op))
            passed = [graph.expression(value) for value in graph.arguments(op) if value is not None]
            for expr in passed:
                self._asked(expr, op)
                for result in op.results:
                    if result in part.scalars:
                        self._bound.setdefault(result, set()).update(leaves(expr))
            for free in graph.effects(op).frees:
                if free.condition is not None:
                    self._asked(graph.expression(free.condition), op)
            if graph.selects(op) and op.operands and op.operands[0].value is not None:
                self._asked(graph.expression(op.operands[0].value), op)
        for edge in edges:
            self._ask_edge(edge)

    def _ask_edge(self, edge: Edge) -> None:
        graph = self._graph
        expr = graph.asks(edge)
        if expr is not None:
            self._asked(expr, edge.place)
        for value, receiver in edge.bindings:
            if value is not None and receiver in self._part.scalars:
                expr = graph.expression(value)
                self._asked(expr, edge.place)
                self._bound.setdefault(receiver, set()).update(leaves(expr))

    def _asked(self, expr: Expr, place: Op) -> None:
        for value in leaves(expr):
            self._asks.setdefault(value, set()).add(place)
        for value in _addresses(expr):
            if value in self._part.root:
                self._kept.add(self._part.root[value])

    def _name(self) -> None:
        for value, root in self._part.root.items():
            self._asks.setdefault(root, set()).update(use.op for use in value.uses)
        for op in self._part.position:
            for value in _concerned(self._graph.effects(op)):
                if value in self._part.root:
                    self._asks[self._part.root[value]].add(op)

    def _keep(self, summarise: bool) -> None:
        """What is never forgotten; and that what is bound to others is asked where those are."""
        graph, part, kept = self._graph, self._part, self._kept
        if part.loads:
            kept.update(part.root.values())
        kept.update(value for value, origin in part.origins.items() if origin.symbol is not None)
        if summarise:
            kept.update(value for value, origin in part.origins.items() if origin.kind is OriginKind.ARGUMENT)
            kept.update(graph.formals)
        pending = list(self._bound)
        while pending:
            receiver = pending.pop()
            asks = self._asks.get(receiver, set()) | self._through.get(receiver, set())
            for value in self._bound.get(receiver, ()):
                through = self._through.setdefault(value, set())
                before = len(through), value in kept
                through |= asks
                if receiver in kept or len(through) > MOST_PLACES:
                    kept.add(value)
                if before != (len(through), value in kept) and value in self._bound:
                    pending.append(value)
        for root in set(part.root.values()):
            if any(graph.effects(op).completion or graph.effects(op).detached for op in self._around(root)):
                kept.add(root)  # who leaves such an op asks what was named in it

    def _around(self, value: Value) -> Iterator[Op]:
        block = defining_block(value)
        while block is not None and block.region is not self._part.scope:
            yield block.region.op
            block = block.region.op.parent

    # ---- where it ends -----------------------------------------------------------------------------------------

    def _place(self, value: Value, dying: dict[Point, set[Value]]) -> None:
        """Note where a value is asked for the last time; it is kept where that is not plain."""
        home = defining_block(value)
        born = home if home is not None and self._within(home.region) else None
        region = home.region if home is not None and born is not None else self._part.scope
        start = value.op.index if value.op is not None else -1
        last: dict[Block, Op] = {}
        for op in (*self._asks[value], *self._through.get(value, ())):
            top = _top(op, region)
            if top is None and op not in self._asks[value]:
                continue  # there what it is bound to is gone
            if top is None or top.parent is None or (top.parent is born and top.index <= start):
                return
            known = last.get(top.parent)
            if known is None or known.index < top.index:
                last[top.parent] = top
        self._followed.add(value)
        lasting = self._lasting(value, last, born, region)
        if born is not None and value.op is not None and born not in last and born not in lasting:
            last[born] = value.op
        for block, top in last.items():
            at = self._part.position.get(top)
            if block in lasting or at is None or top is block.ops[-1]:
                lasting.add(block)
            else:
                dying.setdefault(Point(block, at + 1), set()).add(value)
        for block in lasting:
            self._ending.setdefault(block, set()).add(value)

    def _lasting(self, value: Value, last: dict[Block, Op], born: Block | None, region: Region) -> set[Block]:
        """The blocks at whose end a value is still asked for."""
        lasting: set[Block] = set()
        pending = list(last)
        entered: set[Block] = set()
        while pending:
            block = pending.pop()
            if block in entered:
                continue
            entered.add(block)
            if block is not born:
                before = self._preceding(region).get(block, ())
                lasting.update(before)
                pending.extend(before)
            if block is not born or value.block is not None:
                self._entering.setdefault(block, set()).add(value)
        return lasting

    def _preceding(self, region: Region) -> dict[Block, list[Block]]:
        found = self._before.get(region)
        if found is None:
            found = self._before[region] = {}
            blocks = self._part.blocks if region is self._part.scope else region.blocks
            for block in blocks if len(blocks) > 1 else ():
                for edge in self._graph.exits(block):
                    if edge.block is not None and edge.block.region is region:
                        found.setdefault(edge.block, []).append(block)
        return found

    def _within(self, region: Region) -> bool:
        """Whether a region is that of the slice, or inside it."""
        inner: Region | None = region
        while inner is not None and inner is not self._part.scope:
            inner = inner.op.parent.region if inner.op.parent is not None else None
        return inner is not None

    # ---- what paths ask ----------------------------------------------------------------------------------------

    def after(self, point: Point) -> frozenset[Value]:
        """What nobody asks any more at a point to which the op before it leads."""
        return self._after.get(point, _NOTHING)

    def dying(self, region: Region) -> dict[Block, frozenset[Value]]:
        """What nobody asks any more at the end of blocks of a region, and was asked last by an op before that."""
        found: dict[Block, frozenset[Value]] = {}
        for point, values in self._after.items():
            if point.block.region is region:
                found[point.block] = found.get(point.block, _NOTHING) | values
        return found

    def asked_from(self, block: Block, value: Value) -> bool:
        """Whether a value may be asked once control is at the start of a block."""
        return value not in self._followed or value in self._entering.get(block, ())

    def along(self, edge: Edge, source: Block | None) -> frozenset[Value]:
        """What nobody asks any more at the start of the block to which an edge leads, from `source` or an op."""
        target = edge.block
        assert target is not None
        found = self._along.get(id(edge))  # the graph keeps its edges
        if found is None:
            ending = self._ending.get(source, ()) if source is not None and edge.place.successors else ()
            there = {*ending, *(one for one in target.arguments if one in self._followed)}
            found = self._along[id(edge)] = frozenset(there - self._entering.get(target, set()))
        return found

    def forget(self, state: State, gone: frozenset[Value]) -> State:
        """The state without some names and conditions."""
        facts, heap = state.facts, state.heap
        if not all(gone.isdisjoint(one.holders) for one in heap):
            fewer = (one if gone.isdisjoint(one.holders) else one.held_by(one.holders - gone) for one in heap)
            heap = frozenset(one for one in fewer if not one.lost)
        if facts:
            facts = frozenset(fact for fact in facts if gone.isdisjoint(self._leaves_of(fact[0])))
        return state._replace(facts=facts, heap=heap)

    def _leaves_of(self, expr: Expr) -> frozenset[Value]:
        found = self._leaves.get(expr)
        if found is None:
            found = self._leaves[expr] = frozenset(leaves(expr))
        return found


def _top(op: Op, region: Region) -> Op | None:
    """The op of a region's blocks that is or holds `op`."""
    while op.parent is not None and op.parent.region is not region:
        op = op.parent.region.op
    return op if op.parent is not None else None


def _concerned(effects: Effects) -> Iterator[Value]:
    """What an op does something to, named by it or not: what is inside an aggregate is not."""
    yield from (*effects.reads, *effects.writes, *effects.escapes, *effects.returned, *effects.packed)
    yield from effects.acquires
    yield from (source for view in effects.views for source in view.sources)
    yield from (value for free in effects.frees for value in (free.value, *free.retained))


def _addresses(expr: Expr) -> Iterator[Value]:
    pending = [expr]
    while pending:
        one = pending.pop()
        if pointed(one) is not None:
            yield one[1]
        else:
            pending.extend(operands(one))
