"""The fixpoints: which (point, state) pairs are reachable, and what holds at nodes that depend on each other.

States are explicit and the join is set union, so joins are idempotent, commutative and associative, and every
transfer function is distributive (Reps, Horwitz, Sagiv, "Precise interprocedural dataflow analysis via graph
reachability", 1995). The set of states is finite; a step budget bounds the work all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Generic, TypeVar

from memlane.cancellation import poll
from memlane.flow.dataflow.limits import MAX_SUCCESSORS

Point = TypeVar("Point", bound=Hashable)
State = TypeVar("State", bound=Hashable)
Node = TypeVar("Node", bound=Hashable)


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
    """The reachable pairs, by numbers in the order in which they were first reached.

    Attributes:
        numbers: the number of each, in that order.
        pairs: the same the other way round.
        sources: of each the number of the one it was first reached from (None for a start).
        following: of each the numbers of those that follow directly on it.
    """

    __slots__ = ("following", "numbers", "pairs", "sources")

    def __init__(self) -> None:
        self.numbers: dict[tuple[Point, State], int] = {}
        self.pairs: list[tuple[Point, State]] = []
        self.sources: list[int | None] = []
        self.following: list[list[int]] = []

    def number(self, pair: tuple[Point, State], source: int | None) -> int:
        """The number of a pair, which it gets where it has none yet."""
        new = len(self.pairs)
        number = self.numbers.setdefault(pair, new)
        if number == new:
            self.pairs.append(pair)
            self.sources.append(source)
        return number

    @property
    def starts(self) -> list[int]:
        """The numbers of the pairs that were reached from none."""
        return [number for number, source in enumerate(self.sources) if source is None]


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
    for start in starts:
        reached.number(start, None)
    steps = 0
    for at, pair in enumerate(reached.pairs):  # those that are added meanwhile as well
        steps += 1
        if steps > budget:
            raise BudgetExceeded(reached.pairs)
        if steps % 256 == 0:
            poll()
        following = [reached.number(after, at) for after in transfer(*pair)]
        reached.following.append(following)
        steps += len(following) // PAIRS_PER_STEP
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
    pending: list[tuple[int, int]] = []
    following = reached.following

    def come(pair: tuple[Point, State], source: int | None) -> int:
        number = reached.number(pair, source)
        if number == len(following):
            following.append([])
            heappush(pending, (order(pair[0]), number))
        return number

    steps = 0
    for start in starts:
        come(start, None)
    while pending:
        at = heappop(pending)[-1]
        point, state = reached.pairs[at]
        if (whole := joined(point, state)) != state:
            following[at] = [come((point, whole), at)]
            continue
        steps += 1
        if steps > budget:
            raise BudgetExceeded(reached.pairs)
        if steps % 256 == 0:
            poll()
        following[at] = [come(after, at) for after in transfer(point, state)]
    return reached
