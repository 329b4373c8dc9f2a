"""One way control may go."""

from __future__ import annotations

from typing import NamedTuple

from memlane.dialects.model import Guard
from memlane.syntax.tree.tree import Block, Op, Value

Bindings = tuple[tuple[Value | None, Value], ...]
"""Pairs (value passed on or None where unknown, value that receives it)."""


class Edge(NamedTuple):
    """One way control may go. A graph makes each edge once and keeps it: an edge is equal to itself alone, so that what
    is known of edges is found by them, without a comparison of all that they bind.

    Args:
        block: where to; None: to the op after `leaves` (its results are bound).
        leaves: the op whose regions control flow exits; with it, `block` is not set.
        bindings: what is passed on.
        guard, number: as in the model; `place` is the op whose operands the guard reads.
        case: the constants a CASE guard compares with; None for the default, which excludes `others`.
    """

    block: Block | None
    leaves: Op | None
    bindings: Bindings
    guard: Guard
    place: Op
    number: int = 0
    case: int | None = None
    others: tuple[int, ...] = ()

    __eq__ = object.__eq__
    __ne__ = object.__ne__
    __hash__ = object.__hash__
