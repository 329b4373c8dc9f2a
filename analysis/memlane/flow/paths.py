"""A path through a function in words: the choices that lead to an event, each with its place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from memlane.dialects.model import Guard
from memlane.flow.graph import Edge
from memlane.syntax.tree import Op


@dataclass(frozen=True, slots=True)
class Step:
    """One choice: the op where it is made, and what is chosen (`%c is true`)."""

    op: Op
    choice: str


def steps(edges: Iterable[Edge]) -> tuple[Step, ...]:
    """The choices made by taking `edges` in turn."""
    return tuple(step for edge in edges if (step := _step(edge)) is not None)


def _step(edge: Edge) -> Step | None:
    if edge.guard is Guard.ALWAYS:
        return None
    if edge.guard in (Guard.TRIPS, Guard.DONE):
        return _trip(edge)
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
