"""The fixpoints: which (point, state) pairs are reachable, and what holds at nodes that depend on each other.

States are explicit and the join is set union, so joins are idempotent, commutative and associative, and every
transfer function is distributive (Reps, Horwitz, Sagiv, "Precise interprocedural dataflow analysis via graph
reachability", 1995). The set of states is finite; a step budget bounds the work all the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Generic, TypeVar

from memlane.cancellation import poll

Point = TypeVar("Point", bound=Hashable)
State = TypeVar("State", bound=Hashable)
Node = TypeVar("Node", bound=Hashable)


MAX_SUCCESSORS = 256
"""The maximum of successors of a state: an operation without a model with four results, each any of its four
operands."""

PAIRS_PER_STEP = 8
"""So many pairs that follow on one take about as long as to expand it."""


class BudgetExceeded(Exception):
    """There are more reachable states than the budget allows.

    Args:
        reached: those pairs that have been, where the steps were too many.
    """

    def __init__(self, reached: Collection[tuple[Hashable, Hashable]] = ()) -> None:
        super().__init__()
        self.reached = reached


def worklist(starts: Iterable[Node], visit: Callable[[Node], Iterable[Node]], order: Callable[[Node], int]) -> None:
    """Visit nodes until none waits: the least fixpoint, where `visit` only ever adds to what is known.

    Nodes are visited in rounds, each in the order: what lies before a node that it makes wait is visited in the next
    round, when all is known that comes to it on other ways.

    Args:
        visit: does what there is to do at a node, and gives those that it makes wait; one that waits already waits
            once.

    Raises:
        Cancelled: when the result is no longer wanted.
    """
    numbers = count()  # nodes need not be comparable
    now = [(order(node), next(numbers), node) for node in starts]
    heapify(now)
    later: list[tuple[int, int, Node]] = []
    waiting = {node for _, _, node in now}
    while now or later:
        if not now:
            now, later = later, now
            heapify(now)
        place, _, node = heappop(now)
        waiting.discard(node)
        poll()
        for after in visit(node):
            if after not in waiting:
                waiting.add(after)
                one = order(after), next(numbers), after
                if one[0] > place:
                    heappush(now, one)
                else:
                    later.append(one)


class Reached(Generic[Point, State]):
    """The reachable pairs, each with the pair it was first reached from (None for a start).

    Attributes:
        following: the pairs that follow directly on each, in the order of `came_from`.
    """

    __slots__ = ("came_from", "following")

    def __init__(self) -> None:
        self.came_from: dict[tuple[Point, State], tuple[Point, State] | None] = {}
        self.following: list[list[tuple[Point, State]]] = []


def bounded(states: list[State]) -> list[State]:
    """`states`, all that may follow on one.

    Raises:
        BudgetExceeded: when there are too many of them.
    """
    if len(states) > MAX_SUCCESSORS:
        raise BudgetExceeded
    return states


def reach(
    starts: Iterable[tuple[Point, State]],
    transfer: Callable[[Point, State], Iterable[tuple[Point, State]]],
    budget: int,
) -> Reached[Point, State]:
    """All pairs reachable from `starts`.

    Args:
        transfer: the pairs that follow directly on one.
        budget: how many pairs may be expanded; those with many others behind them count as several.

    Raises:
        BudgetExceeded: when there are more.
        Cancelled: when the result is no longer wanted.
    """
    reached: Reached[Point, State] = Reached()
    came_from = reached.came_from
    pending = deque(dict.fromkeys(starts))
    for pair in pending:
        came_from[pair] = None
    steps = 0
    while pending:
        pair = pending.popleft()
        steps += 1
        if steps > budget:
            raise BudgetExceeded(came_from)
        if steps % 256 == 0:
            poll()
        following = [*transfer(*pair)]
        reached.following.append(following)
        steps += len(following) // PAIRS_PER_STEP
        for after in following:
            if after not in came_from:
                came_from[after] = pair
                pending.append(after)
    return reached


def reach_in_order(
    starts: Iterable[tuple[Point, State]],
    transfer: Callable[[Point, State], Iterable[tuple[Point, State]]],
    budget: int,
    order: Callable[[Point], int],
    joined: Callable[[Point, State], State],
) -> Reached[Point, State]:
    """The same, where states are joined: those of the first points in an order come first, so that all that comes
    together at a point has done so before it goes on.

    Args:
        joined: the state that one has become part of, with others that have been reached since; it may say less.

    Raises:
        BudgetExceeded: see `reach`.
        Cancelled: the same.
    """
    reached: Reached[Point, State] = Reached()
    came_from = reached.came_from
    pending: list[tuple[int, int, tuple[Point, State]]] = []
    following: dict[tuple[Point, State], list[tuple[Point, State]]] = {}

    def come(pair: tuple[Point, State], source: tuple[Point, State] | None) -> None:
        if pair not in came_from:
            came_from[pair] = source
            heappush(pending, (order(pair[0]), len(came_from), pair))

    steps = 0
    for start in starts:
        come(start, None)
    while pending:
        point, state = pair = heappop(pending)[-1]
        if (whole := joined(point, state)) != state:
            following[pair] = [(point, whole)]
            come((point, whole), pair)
            continue
        steps += 1
        if steps > budget:
            raise BudgetExceeded(came_from)
        if steps % 256 == 0:
            poll()
        following[pair] = [*transfer(point, state)]
        for after in following[pair]:
            come(after, pair)
    reached.following = [following[pair] for pair in came_from]
    return reached
