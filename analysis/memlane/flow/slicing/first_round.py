"""What a loop of blocks asked in its first round: that holds in each of its rounds.

A loop of which the header alone decides whether there is a round is in one only as its first round began, so what the
header asks of what counts it asked of what control came into the loop with. Structured loops say the same by their
bounds (entry_conditions.py).
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.dialects.model import Guard
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.loops import Loops
from memlane.flow.cfg.region_edges import block_in, defining_block
from memlane.flow.derived import query
from memlane.flow.scalars.edge_conditions import condition_of
from memlane.flow.scalars.expressions import handed_over
from memlane.flow.symbolic.scalar import Expr, leaves, points
from memlane.syntax.tree.tree import Block, Value

_FLAGS = (Guard.TRUE, Guard.FALSE)


def first_round(graph: Graph, edge: Edge, source: Block | None) -> Expr | None:
    """What an edge asked in the first round that leads from the header of a loop into it; None: another edge, or that
    is not known.

    Args:
        edge: may lead on past blocks in which nothing matters.
        source: the block at whose end the edge is.
    """
    found = query(graph, _first_rounds)
    if edge not in found:
        found[edge] = _asked_first(graph, edge, source) if source is not None and edge.guard in _FLAGS else None
    return found[edge]


def _first_rounds(_: Graph) -> dict[Edge, Expr | None]:
    """What has been found so far."""
    return {}


def _asked_first(graph: Graph, edge: Edge, header: Block) -> Expr | None:
    loops, asked = graph.loops(header.region), condition_of(graph, edge)
    if asked is None or points(asked) or not loops.heads(header):
        return None
    if [(one.place, one.guard) for one in _onward(graph, loops, header)] != [(edge.place, edge.guard)]:
        return None
    counting = {leaf for leaf in leaves(asked) if leaf.block is header}
    firsts = {
        handed_over(graph, asked, {receiver: value for value, receiver in one.bindings if receiver in counting})
        for one in graph.entering(header)
        if one.place.parent is not None and not loops.holds(header, one.place.parent)
    }
    first = firsts.pop() if len(firsts) == 1 else None
    if first is None or not counting or first[0] == "const":
        return None
    others = ({*leaves(asked)} - counting) | {*leaves(first)}
    return None if any(_is_inside(loops, header, leaf) for leaf in others) else first


def _onward(graph: Graph, loops: Loops, header: Block) -> Iterator[Edge]:
    """The edges from the header of a loop that stay in it."""
    return (edge for edge in graph.exits(header) if edge.block is not None and loops.holds(header, edge.block))


def _is_inside(loops: Loops, header: Block, value: Value) -> bool:
    """Whether a value is defined in a loop."""
    block = block_in(defining_block(value), header.region)
    return block is not None and loops.holds(header, block)
