"""A path through a function in words: the choices that lead to an event, each with its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memlane.dialects.model import Guard
from memlane.flow.control.graph import Edge
from memlane.flow.states.events import Pair
from memlane.syntax.tree.tree import Op

MOST = 128
"""Choices of a path that are told, the last ones: as many events as there are branches would else tell their square."""


@dataclass(frozen=True, slots=True)
class Step:
    """One choice: the op where it is made, and what is chosen (`%c is true`)."""

    op: Op
    choice: str


class Choice(NamedTuple):
    """The edge taken, the choice before it, and its number on the path, from 1."""

    edge: Edge
    before: Choice | None
    number: int


class Paths:
    """How the pairs of an exploration are reached.

    Args:
        came_from: of each pair the one from which it was first reached, in that order.
        taken: the edge by which that was, if it was one.
        before: the last choice on the way to those that come from none.
        steps: what is said of choices, by their identity; takes more.
    """

    def __init__(
        self,
        came_from: Mapping[Pair, Pair | None],
        taken: Mapping[Pair, Edge],
        before: Mapping[Pair, Choice | None] = {},
        steps: dict[int, Step] | None = None,
    ) -> None:
        self._steps: dict[int, Step] = {} if steps is None else steps
        self._last: dict[Pair, Choice | None] = {}
        for pair, source in came_from.items():
            last = self._last[source] if source is not None else before.get(pair)
            edge = taken.get(pair)
            if edge is not None and edge.guard is not Guard.ALWAYS:
                last = _after(last, edge)
            self._last[pair] = last

    def last(self, pair: Pair) -> Choice | None:
        """The last choice made on the way to a pair."""
        return self._last[pair]

    def to(self, pair: Pair, then: Sequence[Edge] = (), skipped: int = 0) -> tuple[Step, ...]:
        """The choices made on the way to a pair, so many others, and `then`; of many the last ones, after how many."""
        last = [edge for edge in then if edge.guard is not Guard.ALWAYS]
        found = [self._told(edge) for edge in last[: -MOST - 1 : -1]]
        choice = self._last[pair]
        while choice is not None and not skipped and len(found) < MOST:
            found.append(self._told(choice.edge))
            choice = choice.before
        left = skipped + max(0, len(last) - MOST) + (choice.number if choice is not None else 0)
        if left:
            found.append(Step(found[-1].op, f"after {left} other choices"))
        return tuple(found[::-1])

    def _told(self, edge: Edge) -> Step:
        step = self._steps.get(id(edge))  # the graph keeps its edges
        if step is None:
            step = self._steps[id(edge)] = _step(edge)
        return step


def _after(before: Choice | None, edge: Edge) -> Choice:
    return Choice(edge, before, before.number + 1 if before is not None else 1)


def _step(edge: Edge) -> Step:
    if edge.guard in (Guard.TRIPS, Guard.DONE):
        return _trip(edge)
    if edge.guard in (Guard.HOLDS, Guard.FAILS):
        return Step(edge.place, f"the condition {edge.guard.value}")
    operands = edge.place.operands
    name = operands[edge.number].name if edge.number < len(operands) else "the condition"
    if edge.guard is Guard.CASE:
        return Step(edge.place, f"{name} is {edge.case}" if edge.case is not None else f"{name} is none of the cases")
    return Step(edge.place, f"{name} is {edge.guard.value}")


def _trip(edge: Edge) -> Step:
    loop = edge.block.region.op if edge.block is not None else edge.leaves or edge.place
    if edge.place is loop:
        return Step(loop, "the loop runs" if edge.guard is Guard.TRIPS else "the loop does not run")
    return Step(loop, "the loop runs again" if edge.guard is Guard.TRIPS else "the loop ends")
