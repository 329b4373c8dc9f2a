"""A path through a function in words: the choices that lead to an event, each with its place."""

from __future__ import annotations

from typing import NamedTuple

from memlane.dialects.model import Guard
from memlane.flow.cfg.edge import Edge
from memlane.syntax.tree.tree import Op


class PathStep(NamedTuple):
    """One choice: the op where it is made, and what is chosen (`%c is true`)."""

    op: Op
    choice: str


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


def _trip(edge: Edge) -> PathStep:
    loop = edge.block.region.op if edge.block is not None else edge.leaves or edge.place
    if edge.place is loop:
        return PathStep(loop, "the loop runs" if edge.guard is Guard.TRIPS else "the loop does not run")
    return PathStep(loop, "the loop runs again" if edge.guard is Guard.TRIPS else "the loop ends")
