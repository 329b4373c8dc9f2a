"""Results of ops with two regions of which one flag chooses, as `scf.if` gives them."""

from __future__ import annotations

from typing import NamedTuple

from memlane.dialects.model import Guard
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.symbolic.types import is_integer
from memlane.syntax.tree.tree import Op, Value


class RegionChoice(NamedTuple):
    """A result that is one value where a flag is true, and the other where it is false."""

    flag: Value
    then: Value
    otherwise: Value


def region_choice(graph: Graph, value: Value) -> RegionChoice | None:
    """What a number or flag that an op with regions gives is chosen from; None of other values."""
    op = value.op
    if op is None or len(op.regions) != 2 or not is_integer(value.type):
        return None
    entries = graph.entries(op)
    by_guard = {edge.guard: edge for edge in entries}
    if len(entries) != 2 or by_guard.keys() != {Guard.TRUE, Guard.FALSE}:
        return None
    then, otherwise = (_yielded(graph, op, by_guard[guard], value) for guard in (Guard.TRUE, Guard.FALSE))
    flag = _flag(entries[0])
    if then is None or otherwise is None or flag is None or flag is not _flag(entries[1]):
        return None
    return RegionChoice(flag, then, otherwise)


def _flag(edge: Edge) -> Value | None:
    """The value that decides on an edge."""
    operands = edge.place.operands
    return operands[edge.number].value if 0 <= edge.number < len(operands) else None


def _yielded(graph: Graph, op: Op, entry: Edge, value: Value) -> Value | None:
    """What one of the regions of an op gives for a result."""
    # Whether control comes to its end is not asked: that may rest on what is asserted, and this on expressions.
    edges = graph.written_exits(entry.block) if entry.block is not None else ()
    if len(edges) != 1 or edges[0].leaves is not op:
        return None
    return next((source for source, receiver in edges[0].bindings if receiver is value), None)
