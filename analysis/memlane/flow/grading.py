"""How certain events are: whether a path passes the place of one without it.

All events are graded at once. One exploration gives the paths as a graph, with what happens on each step; along its
edges go two sets of events: those whose place may not have been passed yet, and those whose place may have been passed
without them. An event ends the paths on which it happens, for itself alone. That is a bit vector problem (Kildall, "A
unified approach to global program optimization", 1973), solved in the order of the strongly connected components.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from dataclasses import dataclass, field
from heapq import heappop, heappush

from memlane.cancellation import poll
from memlane.flow.cycles import components
from memlane.flow.events import EventKind, Goal, Pair
from memlane.flow.explore import Explorer
from memlane.flow.slice import Slice
from memlane.syntax.tree import Op


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

    def made(self, ops: Iterable[Op]) -> int:
        """Leaks of what the ops make."""
        return self._sum(Goal(EventKind.LEAK, op) for op in ops)

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


def avoidable(explorer: Explorer, part: Slice, goals: Iterable[Goal]) -> set[Goal]:
    """The goals whose place some path passes, to its end, and all goes well there.

    Args:
        explorer: a new one, for grades. What it explores has been explored to the end.
        part: what it follows.
    """
    bits = _Bits(goals)
    nodes, starts = _paths(explorer, part, bits)
    order = [number for members in components(range(starts), _following(nodes)) for number in members][::-1]
    place = {number: position for position, number in enumerate(order)}
    for number in range(starts):
        nodes[number].before = bits.all
    pending = sorted(place[number] for number in range(starts))
    waiting = set(pending)
    found = 0
    while pending:
        position = heappop(pending)
        waiting.discard(position)
        node = nodes[order[position]]
        before, after = node.before & ~node.passing, node.after | (node.before & node.passing)
        if node.ends is not None:
            found |= after & node.ends
        for target, made, well in node.steps:
            to = nodes[target]
            then = to.before | (before & ~made & well), to.after | ((after | (before & made)) & well)
            if then != (to.before, to.after):
                to.before, to.after = then
                if place[target] not in waiting:
                    waiting.add(place[target])
                    heappush(pending, place[target])
    return bits.goals(found)


def _paths(explorer: Explorer, part: Slice, bits: _Bits) -> tuple[list[_Node], int]:
    """All that is reached, the starts first, and how many these are."""
    numbers: dict[Pair, int] = {}
    nodes: list[_Node] = []
    pairs: list[Pair] = []

    def number(pair: Pair) -> int:
        known = numbers.get(pair)
        if known is None:
            known = numbers[pair] = len(nodes)
            point, stops = pair[0], part.stops.get(pair[0].block, ())
            nodes.append(_Node(bits.passing(stops[point.stop] if point.stop < len(stops) else None)))
            pairs.append(pair)
        return known

    for pair in explorer.starts():
        number(pair)
    starts = len(nodes)
    for source, pair in enumerate(pairs):  # it grows meanwhile
        if source % 256 == 0:
            poll()
        node = nodes[source]
        explorer.log.ended = None
        for point, state in explorer.step(*pair):
            target = number((point, state._replace(made=frozenset(), bad=frozenset())))
            node.steps.append((target, bits.made(state.made), bits.without(state.bad)))
        node.ends = None if explorer.log.ended is None else bits.without(explorer.log.ended)
    return nodes, starts


def _following(nodes: list[_Node]) -> Callable[[int], Iterable[int]]:
    return lambda number: (target for target, _, _ in nodes[number].steps)
