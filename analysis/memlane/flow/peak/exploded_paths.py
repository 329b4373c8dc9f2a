"""The explored paths of one cluster as a graph.

Deallocations that may be moved are taken out first, so that the graph shows what the program needs, not what it frees
now. Which of its buffers have a use ahead, exploded_liveness.py finds out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from memlane.cancellation import poll
from memlane.findings import Span
from memlane.flow.alias.alias import Cluster
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.context import Context
from memlane.flow.dataflow.events import Pair, Point, Purpose
from memlane.flow.dataflow.solver import BudgetExceeded
from memlane.flow.dataflow.state import Instance, State
from memlane.flow.effects.aggregate_buffers import results_of
from memlane.flow.interproc.program import FunctionFlow, Program
from memlane.flow.memory.call_arguments import arguments_of
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.peak.correspondence import image
from memlane.flow.peak.limits import MAX_HELD, MAX_HELD_BY_FEW, MAX_NODES
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.slicing.cfg_contraction import Roads
from memlane.flow.slicing.death_points import Deaths
from memlane.flow.slicing.liveness_for_fixes import Forgetting
from memlane.flow.slicing.slice import Slice
from memlane.flow.slicing.untracked_selects import Choosing
from memlane.flow.symbolic.range import Range
from memlane.flow.symbolic.scalar import Expr, leaves, simplify
from memlane.flow.typestate.explorer import PAIRS_PER_PLAIN_POINT, Explorer
from memlane.flow.typestate.limits import MIN_HEAVY_STATE, MIN_STEPS_BEFORE_LIVENESS
from memlane.syntax.tree.tree import Block, Op, Value


class WithoutFrees(Graph):
    """A function's control flow and effects as if some deallocations were not there."""

    __slots__ = ()

    def __init__(self, graph: Graph, taken_out: Iterable[Op]) -> None:
        self.share(graph)
        self.taken_out = frozenset(taken_out)


@dataclass(slots=True)
class NodeEdge:
    """One way from a node to another.

    Args:
        target: the number of the node it leads to.
        edge: the edge that is followed; None: to the next place of the same block.
        image: for buffers by number at the source their number at the target; those without a name there are missing.
    """

    target: int
    edge: Edge | None
    image: dict[int, int]


@dataclass(slots=True)
class PathNode:
    """A place in the function with the buffers as one path leaves them there.

    Args:
        heap: the buffers; their positions number them.
        awaited: those on which work is under way here that is not when the next place is reached.
    """

    point: Point
    state: State
    heap: tuple[Instance, ...]
    awaited: set[int] = field(default_factory=set[int])
    steps: list[NodeEdge] = field(default_factory=list[NodeEdge])
    _numbers: dict[Value, int] | None = None

    def holding(self, root: Value) -> int | None:
        """The number of the buffer that `root` denotes here."""
        if self._numbers is None:
            self._numbers = {holder: i for i, held in reversed([*enumerate(self.heap)]) for holder in held.holders}
        return self._numbers.get(root)

    def owned(self, number: int) -> bool:
        """Whether this function has to free the buffer and has not yet."""
        held = self.heap[number]
        return held.origin.owned and not held.escaped and held.freed is None


class Many(BudgetExceeded):
    """There are so many paths that it should be asked what they may forget."""


class _Recorder(Explorer):
    """An explorer that tells which edge each step took."""

    def recorded(self, point: Point, state: State) -> list[tuple[Pair, Edge | None]]:
        """The pairs that may follow directly, each with the edge taken."""
        self.edges: list[tuple[Pair, Edge]] = []
        following = list(self.step(point, state))
        by_edge = {after for after, _ in self.edges}
        return [*dict.fromkeys(self.edges), *((after, None) for after in following if after not in by_edge)]

    def _follow(self, edge: Edge, source: Block | None, state: State) -> Iterator[Pair]:
        for pair in super()._follow(edge, source, state):
            self.edges.append((pair, edge))
            yield pair


class ExplodedPaths:
    """The paths of a cluster, explored in one way.

    Args:
        program, flow, cluster: what to follow.
        taken_out: deallocations that are not there.
        facts: remember what is known of every flag that decides a way, not only of those asked twice.
        flags: further values by which paths are distinguished.
        counted: distinguish iterations of loops where their number is known.
        roads: skip blocks in which no buffer is named or dies; without flags only.
        asking: paths that skip blocks know what is asked elsewhere.
        plain: take decisions that do not depend on flags as free choices: more paths, far fewer states to distinguish.
        few: there are to be few paths; else `Many` is raised.
        last: forget each name one place after its last use, also where a buffer has no other.
        chosen: do not distinguish which of several buffers a name denotes, where all have others
            (untracked_selects.py).

    Attributes:
        nodes: in the order they were found.
        at: the nodes of each point.
        into: for each node the numbers of those that lead to it, each with the step.
        taken_out, last: as given.
        choosing: what is not distinguished, with `chosen`.
        counts: the function has loops whose iterations can be distinguished.

    Raises:
        BudgetExceeded: there are too many paths.
    """

    def __init__(
        self,
        program: Program,
        flow: FunctionFlow,
        cluster: Cluster,
        taken_out: frozenset[Op],
        facts: bool = False,
        flags: Iterable[Value] = (),
        counted: bool = True,
        roads: Roads | None = None,
        plain: bool = False,
        few: bool = False,
        last: bool = False,
        chosen: bool = False,
        asking: bool = True,
    ) -> None:
        self.graph = WithoutFrees(flow.graph, taken_out)
        self._more = tuple(flags)
        wanted = [scalar_of(self.graph, flag) for flag in self._more]
        past = Deaths(self.graph, (cluster,), roads, asking) if roads is not None and not plain else None
        self.part = past or Slice(self.graph, (cluster,), wanted=wanted, plain=plain)
        self.counts = bool(self.part.counted)
        if not counted:
            self.part.counted.clear()
        self.nodes: list[PathNode] = []
        self.at: dict[Point, list[int]] = {}
        self.taken_out = taken_out
        self.program, self.flow, self.cluster = program, flow, cluster
        self._flag: dict[tuple[frozenset[tuple[Expr, Expr | Range]], Value], bool | None] = {}
        if plain:
            self.part.follow_wanted()
        elif facts:
            self.part.shared |= self._deciding()
        self._few, self.last = few, last
        self._forgetting = Forgetting(self.graph, self.part, last=True) if last else None
        self.choosing = Choosing(self.graph, self.part) if chosen else None
        if self.choosing is not None and not self.choosing.names:
            raise BudgetExceeded  # all are distinguished
        self._explore(program.contexts(flow))
        self.into: list[list[tuple[int, NodeEdge]]] = [[] for _ in self.nodes]
        for number, node in enumerate(self.nodes):
            for step in node.steps:
                self.into[step.target].append((number, step))

    def flags(self) -> list[Value]:
        """The flags that decide ways in the slice, in text order."""
        found: dict[Value, None] = dict.fromkeys(self._more)
        for op in self._deciders():
            edges = (*self.graph.entries(op), *self._successor_edges(op)) if op.regions or op.successors else ()
            numbers = {edge.number for edge in edges if edge.place is op}
            if self.graph.selects(op):
                numbers.add(0)
            asked = [op.operands[number].value for number in numbers if number < len(op.operands)]
            conditions = (free.condition for free in effects_at(self.graph, op).frees)
            passed = arguments_of(self.graph, op) if self.graph.call(op) is not None else ()
            for value in (*asked, *passed, *conditions):
                if value is not None and value.type == "i1":
                    found[value] = None
        return sorted(found, key=_written)

    def all_facts(self) -> bool:
        """Whether what is known of every flag that decides a way is remembered."""
        return self._deciding() <= self.part.shared

    def _deciding(self) -> set[Value]:
        return {leaf for value in self.flags() for leaf in leaves(scalar_of(self.graph, value))}

    def known(self, number: int, flag: Value) -> bool | None:
        """What a flag is at a node; None: either."""
        key = self.nodes[number].state.facts, flag
        if key not in self._flag:
            expr = simplify(scalar_of(self.graph, flag), dict(key[0]))
            self._flag[key] = bool(expr[1]) if expr[0] == "const" and not isinstance(expr, Range) else None
        return self._flag[key]

    def _deciders(self) -> Iterator[Op]:
        """The operations of the slice, and those that end the blocks of its regions."""
        for stops in self.part.stops.values():
            yield from stops
        for region in dict.fromkeys(block.region for block in self.part.stops):
            blocks = self.part.blocks if region is self.part.scope else region.blocks
            yield from (block.ops[-1] for block in blocks if block.ops)

    def _successor_edges(self, op: Op) -> tuple[Edge, ...]:
        return self.graph.exits(op.parent) if op.successors and op.parent is not None else ()

    def _explore(self, contexts: Iterable[Context]) -> None:
        try:
            for context in contexts:
                self._follow(context)
        except Many:
            if self._few:
                raise
            self.nodes.clear()
            self.at.clear()
            for context in contexts:
                self._follow(context)

    def _many(self) -> None:
        """There are many paths. Raises `Many` where they are to be followed anew."""
        if not self._few:
            self._forgetting = Forgetting(self.graph, self.part, last=False)
        if self._few or self._forgetting:
            raise Many

    def _follow(self, context: Context) -> None:
        recorder = _Recorder(self.graph, self.part, self.program, Purpose.PATHS, context)
        numbers: dict[Pair, int] = {}
        orders: dict[Instance, _Order] = {}  # most buffers are at most nodes what they are at others
        pending: list[int] = []
        points = self.part.points()
        few, most = (
            MIN_STEPS_BEFORE_LIVENESS + 2 * points,
            MAX_NODES + (PAIRS_PER_PLAIN_POINT * points if self.last else 0),
        )
        light, left = MIN_HEAVY_STATE * few, MAX_HELD if self.choosing is None else MAX_HELD_BY_FEW

        def order(held: Instance) -> _Order:
            found = orders.get(held)
            if found is None:
                found = orders[held] = _order(held)
            return found

        def number(pair: Pair) -> int:
            nonlocal light, left
            known = numbers.get(pair)
            if known is None:
                known = numbers[pair] = len(self.nodes)
                light, left = light - len(pair[1].heap), left - len(pair[1].heap)
                if known >= most or left < 0:
                    raise BudgetExceeded
                if self._forgetting is None and (known >= few or light < 0):
                    self._many()
                self.nodes.append(PathNode(pair[0], pair[1], tuple(sorted(pair[1].heap, key=order))))
                self.at.setdefault(pair[0], []).append(known)
                pending.append(known)
            return known

        for pair in recorder.starts():
            number(pair)
        while pending:
            source = pending.pop()
            node = self.nodes[source]
            if source % 256 == 0:
                poll()
            op = self.stop(node.point)
            views = effects_at(self.graph, op).views if op is not None else ()
            results = results_of(self.graph, op) if op is not None else ()
            state = self._forgetting.before(node.point, node.state) if self._forgetting is not None else node.state
            for pair, edge in self._unchosen(recorder.recorded(node.point, state)):
                target = number(pair)
                following = self.nodes[target].heap
                after = image(node.heap, following, edge, results, self.part.root, views)
                node.steps.append(NodeEdge(target, edge, after))
                node.awaited |= {i for i, j in after.items() if node.heap[i].pending != following[j].pending}

    def _unchosen(self, following: list[tuple[Pair, Edge | None]]) -> Iterable[tuple[Pair, Edge | None]]:
        """The successors, without the names whose buffers are not distinguished."""
        if self.choosing is None:
            return following
        names = self.choosing.names
        return dict.fromkeys(((point, state.without(names)), edge) for (point, state), edge in following)

    def stop(self, point: Point) -> Op | None:
        """The operation that is executed at a point; None: its block ends there."""
        stops = self.part.stops.get(point.block, ())
        return stops[point.stop] if point.stop < len(stops) else None


_Order = tuple[tuple[Span, int], list[tuple[Span, int]], Span]


def _order(held: Instance) -> _Order:
    """Buffers in an order that is the same in every run: the heap of a state has none."""
    freed = held.freed.span if held.freed is not None else Span(-1, -1)
    return _written(held.origin.value), sorted(_written(holder) for holder in held.holders), freed


def _written(value: Value) -> tuple[Span, int]:
    return value.span, value.index
