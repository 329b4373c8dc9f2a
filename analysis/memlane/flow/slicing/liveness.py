"""What a path may forget: names of buffers that nothing uses any more, and conditions that nothing asks again.

Two paths that differ in nothing else go on alike, whatever comes: they are one state (live variables: Kildall, "A
unified approach to global program optimization", 1973, of names and conditions alike). Where a name or a condition is
asked inside nested regions, it is kept until the op is left that stands in the block where it was made.
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.flow.alias.origin import OriginKind
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_dispatch import hubs_of
from memlane.flow.cfg.region_edges import defining_block, edges_within
from memlane.flow.dataflow.events import Point
from memlane.flow.dataflow.state import Instance, State
from memlane.flow.derived import query
from memlane.flow.effects.aggregate_buffers import formals_of, handed_back, results_of
from memlane.flow.effects.effects import Effects
from memlane.flow.memory.call_arguments import arguments_of
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.scalar_memory import cells_of
from memlane.flow.scalars.edge_conditions import condition_of
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.scalars.trip_count import trips_of
from memlane.flow.slicing.limits import MAX_CONDITION_PLACES
from memlane.flow.slicing.live_variables import Lasting
from memlane.flow.slicing.materialised_conditions import computed
from memlane.flow.slicing.memory_facts import follows
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.range import Range
from memlane.flow.symbolic.scalar import TRUE, Expr, addresses, leaves, points
from memlane.flow.symbolic.types import is_pointer
from memlane.syntax.tree.tree import Block, Op, Value

_NOTHING = frozenset[Value]()


class Fading(Lasting):
    """See the module.

    Args:
        graph, part: the function and the slice that is followed.
        summarise: the caller asks of arguments what has become of them, and what is known of them.
        last: last names of buffers are forgotten as well; else each keeps one, and that which it came with.
        bound: conditions to which others may be bound are forgotten where none is; else where none can be any more.
    """

    def __init__(self, graph: Graph, part: Slice, summarise: bool, last: bool = True, bound: bool = True) -> None:
        self._graph, self._part = graph, part
        self._leaves: dict[Expr, frozenset[Value]] = {}
        self._asks: dict[Value, set[Op]] = {}
        self._through: dict[Value, set[Op]] = {}
        self._bound: dict[Value, set[Value]] = {}
        self._led: set[Value] = set()
        """What is kept for what is bound to it alone."""
        self._kept: set[Value] = set() if last else set(part.origins)
        self._last = last
        self._ask()
        if summarise:
            self._ask_at_ends()
        self._carry()
        self._name()
        if summarise or not last:  # also by those who ask for sizes
            self._kept.update(value for expr in part.wanted for value in leaves(expr))
        self._keep(summarise)
        through, fading = self._through, [value for value in self._asks if value not in self._kept]
        asked = ((value, self._asks[value], through.get(value, ())) for value in fading)
        super().__init__(graph, part, asked)
        named = (
            [value for value in self._asks if value in through and (value not in self._kept or value in self._led)]
            if bound
            else ()
        )
        self._own = Lasting(graph, part, ((value, self._asks[value], ()) for value in named)) if named else None

    # ---- what is asked where -----------------------------------------------------------------------------------

    def _ask(self) -> None:
        graph, part = self._graph, self._part
        ops, edges = [*part.position], [edge for block in part.blocks for edge in part.exits(block)]
        for op, trip in trips_of(graph, ops):
            self._kept.update(leaves(trip.counter))
            for expr in (trip.lower, trip.upper, trip.step):
                self._asked(expr, op)
        for op in ops:
            if op is not graph.function:
                edges.extend(_edges_inside(graph, part, op))
            passed = [scalar_of(graph, value) for value in arguments_of(graph, op) if value is not None]
            for expr in passed:
                self._asked(expr, op)
                for result in results_of(graph, op):
                    if result in part.scalars:
                        self._bound.setdefault(result, set()).update(filter(self._may_decide, leaves(expr)))
            for free in part.frees(op):
                if free.condition is not None:
                    self._asked(scalar_of(graph, free.condition), op)
            if graph.selects(op) and op.operands and op.operands[0].value is not None:
                self._asked(scalar_of(graph, op.operands[0].value), op)
        for edge in edges:
            self._ask_edge(edge)
        for value, expr in computed(graph, part).items():
            for asked in (*leaves(expr), *addresses(expr)):
                self._asks.setdefault(part.root.get(asked, asked), set()).update([value.op] if value.op else ())
            self._bound.setdefault(value, set()).update(leaves(expr))

    def _ask_at_ends(self) -> None:
        """Callers ask of flags that they are given which buffers these are about."""
        for block in self._part.scope.blocks:
            last = block.ops[-1] if block.ops else None
            for value in handed_back(self._graph, last) if last is not None else ():
                expr = scalar_of(self._graph, value) if value is not None and value.type == "i1" else TRUE
                if last is not None and points(expr):
                    self._asked(expr, last)

    def _may_decide(self, value: Value) -> bool:
        """Whether flags may be computed from a value: not from a buffer, but from its address."""
        return value not in self._part.root or is_pointer(value.type)

    def _ask_edge(self, edge: Edge) -> None:
        graph = self._graph
        expr = condition_of(graph, edge)
        if expr is not None:
            self._asked(expr, edge.place)
        for value, receiver in edge.bindings:
            if value is not None and receiver in self._part.scalars:
                expr = scalar_of(graph, value)
                self._asked(expr, edge.place)
                self._bound.setdefault(receiver, set()).update(leaves(expr))

    def _carry(self) -> None:
        """What is stored to a variable is asked where it is loaded, and where that is. Stores count as asking, so that
        it is forgotten behind the last one, too."""
        graph = self._graph
        for op in self._part.position:
            cell = cells_of(graph).at(op)
            if cell is None or not follows(self._part, cell):
                continue
            self._asks.setdefault(cell.name, set()).add(op)
            if cell.stores:
                stored = (leaves(scalar_of(graph, value)) for _, value in cell.stores)
                others = (value for value in cell.loads if value is not cell.value)
                self._bound.setdefault(cell.value, set()).update(others, *stored)
            else:
                self._asked(scalar_of(graph, cell.value), op)

    def _asked(self, expr: Expr, place: Op) -> None:
        for value in leaves(expr):
            self._asks.setdefault(value, set()).add(place)
        for value in addresses(expr):
            if value in self._part.root:
                self._asks.setdefault(self._part.root[value], set()).add(place)

    def _name(self) -> None:
        for value, root in self._part.root.items():
            self._asks.setdefault(root, set()).update(use.op for use in value.uses)
        for op in self._part.position:
            for value in _concerned(effects_at(self._graph, op)):
                if value in self._part.root:
                    self._asks[self._part.root[value]].add(op)

    def _keep(self, summarise: bool) -> None:
        """What is never forgotten; and that what is bound to others is asked where those are."""
        graph, part, kept = self._graph, self._part, self._kept
        kept.update(value for value, origin in part.origins.items() if origin.symbol is not None)
        if summarise:
            kept.update(value for value, origin in part.origins.items() if origin.kind is OriginKind.ARGUMENT)
            kept.update(formals_of(graph))
        pending = list(self._bound)
        while pending:
            receiver = pending.pop()
            asks = self._asks.get(receiver, set()) | self._through.get(receiver, set())
            for value in self._bound.get(receiver, ()):
                through = self._through.setdefault(value, set())
                if value in kept:
                    continue  # where that is asked is no matter: what is bound to it is kept as well
                before = len(through)
                through |= asks
                if receiver in kept or len(through) > MAX_CONDITION_PLACES:
                    self._led.add(value)
                    kept.add(value)
                if (before != len(through) or value in kept) and value in self._bound:
                    pending.append(value)
        for root in set(part.root.values()):
            if any(effects_at(graph, op).completion or effects_at(graph, op).detached for op in self._around(root)):
                kept.add(root)  # who leaves such an op asks what was named in it

    def _around(self, value: Value) -> Iterator[Op]:
        block = defining_block(value)
        while block is not None and block.region is not self._part.scope:
            yield block.region.op
            block = block.region.op.parent

    # ---- what paths ask ----------------------------------------------------------------------------------------

    def at(self, state: State, point: Point) -> State:
        """What is left of a state at a point to which the op before it leads."""
        return self._left(state, self.after(point), self._own.after(point) if self._own is not None else _NOTHING)

    def beyond(self, state: State, edge: Edge, source: Block | None) -> State:
        """The same at the start of the block to which an edge leads, from `source` or an op."""
        own = self._own.known_along(edge, source, lambda: self._asked_in(state)) if self._own is not None else _NOTHING
        return self._left(state, self.known_along(edge, source, lambda: self._known(state)), own)

    def _known(self, state: State) -> Iterator[Value]:
        """The names and conditions of a state."""
        for held in state.heap:
            yield from held.holders
        yield from self._asked_in(state)

    def _asked_in(self, state: State) -> Iterator[Value]:
        for expr, _ in state.facts:
            yield from self._leaves_of(expr)

    def _left(self, state: State, gone: frozenset[Value], maybe: frozenset[Value]) -> State:
        """A state without what is gone, and without what is not known by another name as well."""
        state = self.forget(state, gone) if gone else state
        if not maybe or not state.facts:
            return state
        bound = (self._leaves_of(known) for _, known in state.facts if not isinstance(known, Range))
        gone = maybe.difference(*bound)
        return state._replace(
            facts=frozenset(fact for fact in state.facts if gone.isdisjoint(self._leaves_of(fact[0])))
        )

    def forget(self, state: State, gone: frozenset[Value]) -> State:
        """The state without some names and conditions."""
        facts, heap = state.facts, state.heap
        if not all(gone.isdisjoint(one.holders) for one in heap):
            fewer = (one if gone.isdisjoint(one.holders) else self._under(one, one.holders - gone) for one in heap)
            heap = frozenset(one for one in fewer if not one.lost or (one.escaped and self._part.loads))
        if facts:
            facts = frozenset(fact for fact in facts if gone.isdisjoint(self._leaves_of(fact[0])))
        return state._replace(facts=facts, heap=heap)

    def _under(self, one: Instance, holders: frozenset[Value]) -> Instance:
        """A buffer under fewer names. What is kept somewhere may be loaded under others."""
        if not holders and not self._last:  # that which it came with is out of scope
            holders = frozenset((one.first_name,))
        if holders or not (one.escaped and self._part.loads):
            return one.held_by(holders)
        return one._replace(holders=holders, shifted=holders)

    def _leaves_of(self, expr: Expr) -> frozenset[Value]:
        found = self._leaves.get(expr)
        if found is None:
            found = self._leaves[expr] = frozenset(leaves(expr))
        return found


def _edges_inside(graph: Graph, part: Slice, op: Op) -> Iterator[Edge]:
    """See `edges_within`; those that paths of a slice take."""
    hub = hubs_of(graph).get(op)
    if hub is None:
        yield from edges_within(graph, op)
        return
    yield from (*graph.entries(op), *part.exits(hub.block))
    for index in part.between[hub.block].busy:
        for block in op.regions[index].blocks:
            yield from graph.exits(block)


def fading_of(part: Slice) -> list[Fading | None]:
    """What paths of a slice may forget, once there are many: followed for itself, and to tell callers."""
    return query(part, _fading)


def _fading(_: Slice) -> list[Fading | None]:
    return [None, None]


def _concerned(effects: Effects) -> Iterator[Value]:
    """What an op does something to, named by it or not: what is inside an aggregate is not."""
    yield from (*effects.reads, *effects.writes, *effects.escapes, *effects.returned, *effects.packed)
    yield from effects.acquires
    yield from (source for view in effects.views for source in view.sources)
    yield from (value for free in effects.frees for value in (free.value, *free.retained))
