"""How certain events are: whether a path passes the place of one without it.

All events are graded at once. The exploration that found them gives the paths as a graph; the steps on which something
may happen are taken once more, to see what. Along the edges of the graph go two sets of events: those whose place may
not have been passed yet, and those whose place may have been passed without them. An event ends the paths on which it
happens, for itself alone. That is a bit vector problem (Kildall, "A unified approach to global program optimization",
1973), solved in the order of the strongly connected components.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Hashable, Iterable, Iterator
from dataclasses import dataclass, field

from memlane.cancellation import poll
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.scc import components
from memlane.flow.dataflow.events import EventKind, Goal, Point, Purpose
from memlane.flow.dataflow.solver import Reached, worklist
from memlane.flow.dataflow.state import State
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.slicing.edge_effect import may_throw
from memlane.flow.slicing.slice import Slice
from memlane.flow.typestate.explorer import Explorer
from memlane.syntax.tree.tree import Block, Op, Value


@dataclass(slots=True)
class _Node:
    """A pair of point and state. Sets of events are numbers, a bit for each.

    Args:
        passing: the events whose place this is.
        steps: the number of a node that follows, what is made on the way, and what does not happen there.
        ends: the path may end here: what does not happen then.
        before, after: events with a path to here on which their place has not been passed, or has, and all was well.
    """

    passing: int
    steps: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    ends: int | None = None
    before: int = 0
    after: int = 0


class _Bits:
    """Events, a bit for each."""

    def __init__(self, goals: Iterable[Goal]) -> None:
        self._bit: dict[Hashable, int] = {goal: 1 << number for number, goal in enumerate(goals)}
        self.all = (1 << len(self._bit)) - 1
        self._passing: dict[Op, int] = {}
        for goal, bit in self._bit.items():
            if isinstance(goal, Goal) and goal.kind is not EventKind.LEAK:
                self._passing[goal.place] = self._passing.get(goal.place, 0) | bit

    def passing(self, op: Op | None) -> int:
        """Those whose place an op is; of leaks it is not the op that counts, but that it has made something."""
        return self._passing.get(op, 0) if op is not None else 0

    def made(self, names: Iterable[Value]) -> int:
        """Leaks of what is made under these names."""
        return self._sum(Goal(EventKind.LEAK, name.op, name.name) for name in names if name.op is not None)

    def without(self, events: Collection[Hashable]) -> int:
        """All but some."""
        return self.all & ~self._sum(events) if events else self.all

    def _sum(self, events: Iterable[Hashable]) -> int:
        found = 0
        for event in events:
            found |= self._bit.get(event, 0)
        return found

    def goals(self, number: int) -> set[Goal]:
        """Those of a set."""
        return {goal for goal, bit in self._bit.items() if number & bit and isinstance(goal, Goal)}


def avoidable(
    explorer: Explorer, reached: Reached[Point, State], graph: Graph, part: Slice, goals: Collection[Goal]
) -> set[Goal]:
    """The goals whose place some path passes, to its end, and all goes well there.

    Args:
        explorer: one that has explored to the end, and what it `reached`.
        graph, part: the function and the slice that it follows.
        goals: it has seen all of them.
    """
    bits = _Bits(goals)
    explorer.log.purpose = Purpose.GRADES
    nodes, starts = _paths(explorer, reached, _Eventful(graph, explorer, {goal.place for goal in goals}), part, bits)
    order = [number for members in reversed([*components(starts, _following(nodes))]) for number in members]
    place = {number: position for position, number in enumerate(order)}
    for number in starts:
        nodes[number].before = bits.all
    found = 0

    def visit(number: int) -> Iterator[int]:
        nonlocal found
        node = nodes[number]
        before, after = node.before & ~node.passing, node.after | (node.before & node.passing)
        if node.ends is not None:
            found |= after & node.ends
        for target, made, well in node.steps:
            to = nodes[target]
            then = to.before | (before & ~made & well), to.after | ((after | (before & made)) & well)
            if then != (to.before, to.after):
                to.before, to.after = then
                yield target

    worklist(starts, visit, place.__getitem__)
    return bits.goals(found)


class _Eventful:
    """Where something may happen: at the places of events, and where paths and scopes end. `places`: of the events."""

    def __init__(self, graph: Graph, explorer: Explorer, places: Container[Op]) -> None:
        self._graph = graph
        self._explorer = explorer
        self._places = places
        self._ends: dict[Block, bool] = {}

    def __call__(self, block: Block, op: Op | None) -> bool:
        """Whether something may happen before `op` of a block; None: at its end."""
        if op is not None:
            return op in self._places
        found = self._ends.get(block)
        if found is None:
            ends = self._explorer.ends(block) or self._ends_scope(block)
            found = self._ends[block] = ends or (bool(block.ops) and may_throw(self._graph, block.ops[-1]))
        return found

    def _ends_scope(self, block: Block) -> bool:
        """Whether control may leave a scope of automatic allocations at the end of a block."""
        if not effects_at(self._graph, block.region.op).scope:
            return False
        return not all(
            edge.block is not None and edge.block.region is block.region for edge in self._graph.exits(block)
        )

    def throws(self, op: Op | None) -> bool:
        """Whether `op` may throw: it has made something once it is left the other way."""
        return op is not None and may_throw(self._graph, op)


def _paths(
    explorer: Explorer, reached: Reached[Point, State], eventful: _Eventful, part: Slice, bits: _Bits
) -> tuple[list[_Node], list[int]]:
    """All that is reached, and the numbers of the starts."""
    numbers = reached.numbers
    nodes: list[_Node] = []
    for pair, following in zip(reached.pairs, reached.following, strict=True):
        if len(nodes) % 256 == 0:
            poll()
        block, stop = pair[0]
        stops = part.stops.get(block, ())
        op = stops[stop] if stop < len(stops) else None
        node = _Node(bits.passing(op))
        nodes.append(node)
        if not eventful(block, op):
            node.steps = [(target, 0, bits.all) for target in following]
            continue
        explorer.log.ended = None
        thrown = eventful.throws(op)
        for point, state in explorer.step(*pair):
            target = numbers[point, state.taken()]
            node.steps.append((target, 0 if thrown else bits.made(state.made), bits.without(state.bad)))
        node.ends = None if explorer.log.ended is None else bits.without(explorer.log.ended)
    return nodes, reached.starts


def _following(nodes: list[_Node]) -> Callable[[int], Iterable[int]]:
    return lambda number: (target for target, _, _ in nodes[number].steps)
