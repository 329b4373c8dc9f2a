"""All buffers of a function together: the graph of (point, state) pairs, what lives at each and what each step uses.

`explore` follows one cluster; the most that lives at once is a matter of all clusters on the same path. Here the same
transfer functions run over all of them, and every step also says which buffer became which (`Move.lineage`), which
buffers it names, and how many bytes it leaks. A call is one step for each way it may go, with the callee's own demands
as `footprint.Footprint`.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from memlane.cancellation import poll
from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.call_outcomes import Outcome
from memlane.flow.dataflow.context import Context
from memlane.flow.dataflow.events import Point, Purpose
from memlane.flow.dataflow.solver import BudgetExceeded
from memlane.flow.dataflow.state import Instance, State
from memlane.flow.effects.aggregate_buffers import results_of
from memlane.flow.memory.call_arguments import arguments_of
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.peak.extent import Extents
from memlane.flow.peak.instance_ids import UntouchedBuffers, age, freed, marked, origin_index, size, sized, untagged
from memlane.flow.peak.live_intervals import Besides, Timeline, Until
from memlane.flow.peak.sparse_product import besides
from memlane.flow.peak.touching_ops import touches
from memlane.flow.slicing.live_names import Ahead
from memlane.flow.slicing.liveness import Fading, fading_of
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.amounts import ZERO, Amount, total
from memlane.flow.symbolic.scalar import Expr, Facts
from memlane.flow.typestate.exit_state import ExitState
from memlane.flow.typestate.explorer import Explorer
from memlane.syntax.tree.tree import Op, Value

Needed = tuple[tuple[Amount, frozenset[int]], ...]
"""Bytes, and which of the buffers passed to a call."""
_Named = tuple[frozenset[int], frozenset[int]]


class NotANumber(Exception):
    """The most that lives at once depends on sizes that are not known, or on how often a loop runs."""


class Footprint(NamedTuple):
    """What one way a call may go demands.

    Args:
        outcome: what it does to the caller's buffers.
        sizes: of the new buffers handed out, by number.
        peaks: the most bytes that live inside at once, relative to before the call; none covers another.
        lost: bytes that cannot be freed any more.
        needs: at each point inside, bytes of its own buffers that are still to be used, and which of the buffers
            passed are; only those that no other covers.
        keeps: the same where deallocations count as uses.
        formals: the arguments of the callee, in whose terms amounts are.
        exact: paths were followed one by one; else amounts are bounds.
    """

    outcome: Outcome
    sizes: tuple[Amount, ...] = ()
    peaks: tuple[Amount, ...] = ()
    lost: Amount = ZERO
    needs: Needed = ()
    keeps: Needed = ()
    formals: tuple[Value, ...] = ()
    exact: bool = True


class Footprints(Protocol):
    """The memory that calls need."""

    @property
    def movable(self) -> Callable[[Graph, Op], bool]:
        """Whether an op may as well stand where what it makes is used first."""
        ...

    def of(
        self,
        call: Op,
        partition: tuple[int | None, ...],
        scalars: tuple[Expr | None, ...],
        wanted: tuple[int, ...],
        sizes: tuple[Amount, ...],
    ) -> tuple[Footprint, ...]:
        """The ways a call may go; see `Callees.outcomes`. `sizes` are those of the buffers passed, by number."""
        ...


@dataclass(slots=True)
class Move:
    """One step.

    Args:
        target: index of the node it leads to.
        lineage: index of a buffer there -> its index here; buffers of the target that are missing are new.
        used, freed: indices of the buffers that the op uses, and of those that it names, but does no more than free.
        both: what is freed lives on until what is made does: a reallocation.
        lost: bytes that cannot be freed any more.
        call, passed: what a call demands, and the index of each buffer passed.
        touches: what is made is touched as it is made, as by a copy; else the op only makes it.
    """

    target: int
    lineage: dict[int, int]
    used: frozenset[int]
    freed: frozenset[int]
    both: bool = False
    lost: Amount = ZERO
    call: Footprint | None = None
    passed: tuple[int, ...] = ()
    touches: bool = True


@dataclass(slots=True)
class ProductNode:
    """A point and a state, before the op `op` (None: the end of a block).

    Args:
        heap: the buffers, in the order their indices count. `Instance.tag` is the size.
        live: bytes of those that have not been freed.
        besides: what lives besides, of buffers that need no exploration, by `Until`: between the stop before and `op`.
        during: the same while `op` is executed.
        after: the op that led here first.
        ending: set where the function returns.
    """

    point: Point
    state: State
    heap: tuple[Instance, ...]
    live: Amount
    op: Op | None
    after: Op | None
    besides: Besides
    during: Besides
    moves: list[Move] = field(default_factory=list[Move])
    ending: ExitState | None = None


class Product:
    """The graph; nodes are in the order they were found, the starts first.

    Args:
        graph, part: the function and what is followed of it.
        footprints: what calls demand.
        extents: sizes of buffers.
        context: how the function is entered.
        counts: whether the buffers of an origin count.
        arguments: sizes of the buffers passed, by number; None: arguments are not followed.
        line: the function's other buffers.
        budget: how many nodes there may be, and how many steps may be taken: each way of a call is one.
        numbers: only a peak is asked for that is a number, and that some execution reaches.

    Raises:
        BudgetExceeded: there are more; with `numbers` also where what a call demands is only bounded.
        NotANumber: with `numbers`.
    """

    def __init__(
        self,
        graph: Graph,
        part: Slice,
        footprints: Footprints,
        extents: Extents,
        context: Context,
        counts: Callable[[Origin], bool],
        arguments: tuple[Amount, ...] | None,
        line: Timeline,
        budget: int,
        numbers: bool,
    ) -> None:
        self._line = line
        self._besides, self._during, self._freed = dict[Point, Besides](), dict[Op, Besides](), dict[Origin, Op]()
        self._ahead = Ahead(graph, part)
        self._graph = graph
        self._part = part
        self._extents = extents
        self._counts = counts
        self._ways, self._movable = _Ways(footprints), footprints.movable
        summarise = arguments is not None
        self._numbers = numbers
        if len(part.scope.blocks) > 1:  # the conditions of n branches make 2 to the power of n states
            fading_of(part)[summarise] = Fading(graph, part, summarise, last=False, bound=False)
        self._explorer = Explorer(graph, part, self._ways, Purpose.PATHS, context, summarise)
        self._index: dict[tuple[Point, State], int] = {}
        self.nodes: list[ProductNode] = []
        self.exact = True
        for point, state in self._explorer.starts():
            heap = (self._argument(held, context, arguments or ()) for held in state.heap)
            self._node(point, state._replace(heap=frozenset(heap)), None)
        self.starts = len(self.nodes)
        self._taken = 0
        for node in self.nodes:  # those that are added meanwhile as well
            if max(len(self.nodes), self._taken) > budget:
                raise BudgetExceeded
            poll()
            self._expand(node)

    def _argument(self, held: Instance, context: Context, sizes: tuple[Amount, ...]) -> Instance:
        position = min((value.index for value in held.holders), default=held.origin.value.index)
        group = context.partition[position] if position < len(context.partition) else None
        return held._replace(tag=sizes[group] if group is not None and group < len(sizes) else ZERO)

    def _node(self, point: Point, state: State, after: Op | None) -> int:
        found = self._index.get((point, state))
        if found is None:
            stops = self._part.stops.get(point.block, ())
            op = stops[point.stop] if point.stop < len(stops) else None
            heap = tuple(state.heap)
            live = total(size(held) for held in heap if held.freed is None)
            found = self._index[point, state] = len(self.nodes)
            besides = self._beside(point)
            self._check(live, *besides[Until.FREED])
            during = besides if op is None else self._at(op)
            self.nodes.append(ProductNode(point, state, heap, live, op, after, besides, during))
        return found

    def _check(self, *amounts: Amount) -> None:
        """Raises `NotANumber` where only numbers are asked for and some of what lives at once is not one."""
        if self._numbers and any(amount.bytes is None for amount in amounts):
            raise NotANumber

    def _beside(self, point: Point) -> Besides:
        found = self._besides.get(point)
        if found is None:
            found = self._besides[point] = besides(self._line, self._part, point)
        return found

    def _at(self, op: Op) -> Besides:
        found = self._during.get(op)
        if found is None:
            found = self._during[op] = self._line.during(op)
        return found

    def _expand(self, node: ProductNode) -> None:
        """Take every step from a node."""
        op = node.op
        if op is not None and not op.regions and self._graph.call(op) is None and self._quietly(node, op):
            return
        tagged = frozenset([marked(held, index) for index, held in enumerate(node.heap)])
        state = node.state._replace(heap=tagged)
        named = self._named(op, node) if op is not None else (frozenset[int](), frozenset[int]())
        if op is None or self._graph.call(op) is None:
            self._steps(node, state, named, None, ())
            return
        passed = self._passed(op, node)
        self._ways.sizes = tuple(size(node.heap[index]) for index in passed)
        self._ways.choice, self._ways.found = 0, ()
        while True:
            self._steps(node, state, named, op, passed)
            self._ways.choice += 1
            if self._ways.choice >= len(self._ways.found):
                break

    def _quietly(self, node: ProductNode, op: Op) -> bool:
        """The same where the op changes what it names alone: then the others, of which there may be many, are what they
        are. Gives whether that is so."""
        named = set(self._part.named(op))
        touched = {i: held for i, held in enumerate(node.heap) if not named.isdisjoint(held.holders)}
        rest = node.state.heap.difference(touched.values())
        tagged = [marked(held, index) for index, held in touched.items()]
        explorer = self._explorer
        explorer.endings.clear()
        explorer.log.taken.clear()
        following = list(explorer.step(node.point, node.state._replace(heap=rest.union(tagged))))
        changed = [(after, after.heap - rest) for _, after in following]
        if explorer.endings or not all(
            len(after.heap) - len(new) == len(rest) and all(not isinstance(one.tag, Amount) for one in new)
            for after, new in changed
        ):
            return False
        uses = self._named(op, node)
        numbers = {id(held): index for index, held in enumerate(node.heap) if index not in touched}
        for point, after in following:
            self._move(node, point, after, uses, None, (), UntouchedBuffers(rest, numbers))
        return True

    def _steps(self, node: ProductNode, state: State, named: _Named, call: Op | None, passed: tuple[int, ...]) -> None:
        self._taken += 1
        explorer = self._explorer
        explorer.endings.clear()
        explorer.log.taken.clear()
        following = list(explorer.step(node.point, state))
        for ending in explorer.endings:
            node.ending = ending._replace(
                state=node.state, results=tuple(None if held is None else untagged(held) for held in ending.results)
            )
        foot = self._ways.now if call is not None else None
        self.exact = self.exact and (foot is None or foot.exact)
        if self._numbers and not self.exact:
            raise BudgetExceeded
        foot = self._translated(call, foot, dict(node.state.facts)) if call is not None and foot is not None else None
        self._check(*(foot.peaks if foot is not None else ()))
        for point, after in following:
            self._move(node, point, after, named, foot, passed)

    def _move(
        self,
        node: ProductNode,
        point: Point,
        after: State,
        named: _Named,
        foot: Footprint | None,
        passed: tuple[int, ...],
        same: UntouchedBuffers | None = None,
    ) -> None:
        """Add one step; buffers that cannot be freed any more leave the state. `same`: those that stay as they are."""
        rest, numbers = same or (frozenset[Instance](), {})
        lost = foot.lost if foot is not None else ZERO
        facts = dict(node.state.facts)
        over = [held for held in rest if held.freed is not None and self._over(held, point)]
        stays = rest.difference(over) if over else rest
        kept: dict[Instance, int | None] = {}
        for held in after.heap - rest:
            before = origin_index(held)
            plain = untagged(held) if before is not None else sized(held, self._size(held, node, foot, facts))
            plain = freed(plain, self._freed)
            forgotten = not plain.holders and plain.freed is None and not plain.escaped
            if forgotten or plain in kept or plain in stays:
                lost += size(plain)
                if plain in kept:  # no matter in which order sets have them
                    kept[plain] = min(kept[plain], before, key=lambda one: age(node.heap, one))
            elif not self._over(plain, point):
                kept[plain] = before
        target = self._node(point, after._replace(heap=stays.union(kept)), node.op or node.after)
        heap = self.nodes[target].heap
        lineage: dict[int, int] = {}
        for index, held in enumerate(heap):
            before = numbers.get(id(held), -1)
            if before == -1:  # another object in the state that is met again
                before = kept[held] if held in kept else node.heap.index(held)
            if before is not None:
                lineage[index] = before
        both, touches = self._reallocates(node.op), node.op is None or not self._movable(self._graph, node.op)
        node.moves.append(Move(target, lineage, *named, both, lost, foot, passed, touches))

    def _over(self, held: Instance, point: Point) -> bool:
        """Whether a buffer is freed, and nothing will be said of it any more: n of them in each state are a square."""
        if held.freed is None or held.escaped or held.pending or held.origin.kind is OriginKind.ARGUMENT:
            return False
        return not self._ahead.named(point, held.holders)

    def _size(self, held: Instance, node: ProductNode, foot: Footprint | None, facts: Facts) -> Amount:
        """Bytes of a new buffer."""
        origin = held.origin
        if not self._counts(origin):
            return ZERO
        op = origin.value.op
        results = results_of(self._graph, op) if op is not None else ()
        if origin.kind is OriginKind.CALL and foot is not None:
            for index, source in foot.outcome.results:
                fresh = source is not None and source.fresh and results[index] in held.holders
                if fresh and source is not None and source.number < len(foot.sizes):
                    return foot.sizes[source.number]
        found = self._extents.of(origin.value, facts)
        return found if found is not None else ZERO

    def _translated(self, call: Op, foot: Footprint, facts: Facts) -> Footprint:
        """What the callee says in its arguments, in the caller's values."""
        values = arguments_of(self._graph, call)
        position = {formal: index for index, formal in enumerate(foot.formals)}

        def outer(expr: Expr) -> Expr | None:
            of = expr[1][1] if expr[0] == "dim" else expr[1] if expr[0] == "leaf" else None
            index = position.get(of) if of is not None else None
            value = values[index] if index is not None and index < len(values) else None
            if value is None:
                return None
            return (
                self._extents.dimension(value, expr[2][1]) if expr[0] == "dim" else self._extents.settled(value, facts)
            )

        return Footprint(
            foot.outcome,
            tuple(amount.change(outer) for amount in foot.sizes),
            tuple(amount.change(outer) for amount in foot.peaks),
            foot.lost.change(outer),
            tuple((amount.change(outer), groups) for amount, groups in foot.needs),
            tuple((amount.change(outer), groups) for amount, groups in foot.keeps),
            exact=foot.exact,
        )

    def _named(self, op: Op, node: ProductNode) -> _Named:
        """The buffers that the op uses, and those that it names only to free them, or to name them otherwise."""
        effects = effects_at(self._graph, op)
        named = frozenset(self._part.names(op))
        if not touches(self._graph, op):
            return frozenset(), self._held(named, node)
        freed = {free.value for free in effects.frees}
        if effects.allocs:
            freed.clear()  # A reallocation copies what it frees.
        return self._held(named - freed, node), self._held(named & freed, node)

    def _reallocates(self, op: Op | None) -> bool:
        effects = effects_at(self._graph, op) if op is not None else None
        return effects is not None and bool(effects.allocs) and bool(effects.frees)

    def _held(self, values: Set[Value], node: ProductNode) -> frozenset[int]:
        return frozenset(index for value in values if (index := self._holding(value, node)) is not None)

    def _holding(self, value: Value, node: ProductNode) -> int | None:
        root = self._part.root.get(value)
        return next((i for i, held in enumerate(node.heap) if root in held.holders), None) if root is not None else None

    def _passed(self, op: Op, node: ProductNode) -> tuple[int, ...]:
        values = filter(self._part.root.__contains__, arguments_of(self._graph, op))  # often one of many is followed
        return tuple({i: None for one in values if one is not None and (i := self._holding(one, node)) is not None})


class _Ways:
    """Gives the explorer one way of a call at a time."""

    def __init__(self, footprints: Footprints) -> None:
        self._footprints = footprints
        self.choice = 0
        self.sizes: tuple[Amount, ...] = ()
        self.found: tuple[Footprint, ...] = ()
        self.now: Footprint | None = None

    def outcomes(
        self, call: Op, partition: tuple[int | None, ...], scalars: tuple[Expr | None, ...], wanted: tuple[int, ...]
    ) -> tuple[Outcome, ...]:
        """See `Callees.outcomes`."""
        if self.choice == 0:
            self.found = self._footprints.of(call, partition, scalars, wanted, self.sizes)
        self.now = self.found[self.choice] if self.choice < len(self.found) else None
        return (self.now.outcome,) if self.now is not None else ()

    def may_free(self, call: Op) -> frozenset[int] | None:
        """See `Callees.may_free`."""
        return None

    def replaced(self, call: Op) -> frozenset[tuple[int, int]]:
        """See `Callees.replaced`: what is wrong is not asked here."""
        return frozenset()
