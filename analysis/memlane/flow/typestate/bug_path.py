"""A path through a function in words: the choices that lead to an event, each with its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from memlane.dialects.model import Guard
from memlane.flow.control.graph import Edge
from memlane.flow.dataflow.events import Pair
from memlane.syntax.tree.tree import Op

MAX_CHOICES_SHOWN = 128
"""The maximum of choices of a path in a report, the last ones: else a function with as many events as branches would
have a quadratic number of notes."""


@dataclass(frozen=True, slots=True)
class PathStep:
    """One choice: the op where it is made, and what is chosen (`%c is true`)."""

    op: Op
    choice: str


class Choice(NamedTuple):
    """The edge taken, the choice before it, and its number on the path, from 1."""

    edge: Edge
    before: Choice | None
    number: int


class Choices(NamedTuple):
    """So many choices in a row, and the edges of the last of them."""

    number: int
    last: tuple[Edge, ...]


NONE = Choices(0, ())


class ExploredPaths:
    """How the pairs of an exploration are reached.

    Args:
        came_from: of each pair the one from which it was first reached, in that order.
        taken: the edge by which that was, if it was one.
    """

    def __init__(self, came_from: Mapping[Pair, Pair | None], taken: Mapping[Pair, Edge]) -> None:
        self._last: dict[Pair, Choice | None] = {}
        for pair, source in came_from.items():
            last = self._last[source] if source is not None else None
            edge = taken.get(pair)
            if edge is not None and edge.guard is not Guard.ALWAYS:
                last = _after(last, edge)
            self._last[pair] = last

    def to(self, pair: Pair) -> Choices:
        """The choices made on the way to a pair."""
        choice = self._last[pair]
        number, found = choice.number if choice is not None else 0, list[Edge]()
        while choice is not None and len(found) < MAX_CHOICES_SHOWN:
            found.append(choice.edge)
            choice = choice.before
        return Choices(number, tuple(found[::-1]))


def step(edge: Edge) -> PathStep:
    """The choice of an edge that is not always taken."""
    if edge.guard in (Guard.TRIPS, Guard.DONE):
        return _trip(edge)
    if edge.guard in (Guard.HOLDS, Guard.FAILS):
        return PathStep(edge.place, f"the condition {edge.guard.value}")
    operands = edge.place.operands
    name = operands[edge.number].name if edge.number < len(operands) else "the condition"
    if edge.guard is Guard.CASE:
        return PathStep(
            edge.place, f"{name} is {edge.case}" if edge.case is not None else f"{name} is none of the cases"
        )
    return PathStep(edge.place, f"{name} is {edge.guard.value}")


def steps(edges: Iterable[Edge]) -> list[PathStep]:
    """The choices of edges, but for those that are always taken."""
    return [step(edge) for edge in edges if edge.guard is not Guard.ALWAYS]


def _after(before: Choice | None, edge: Edge) -> Choice:
    return Choice(edge, before, before.number + 1 if before is not None else 1)


def _trip(edge: Edge) -> PathStep:
    loop = edge.block.region.op if edge.block is not None else edge.leaves or edge.place
    if edge.place is loop:
        return PathStep(loop, "the loop runs" if edge.guard is Guard.TRIPS else "the loop does not run")
    return PathStep(loop, "the loop runs again" if edge.guard is Guard.TRIPS else "the loop ends")
