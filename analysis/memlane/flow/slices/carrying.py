"""What paths know of the flags that are kept in variables (cells.py)."""

from __future__ import annotations

from collections.abc import Callable

from memlane.flow.control.graph import Graph
from memlane.flow.scalars.scalar import Expr, Range, leaves, points, simplify, size
from memlane.flow.slices.slice import Slice
from memlane.flow.states.state import State
from memlane.syntax.tree.tree import Op

_LARGEST = 16
"""Parts of a condition that is kept."""


def carried(graph: Graph, part: Slice, op: Op, state: State, resolve: Callable[[Expr, State], Expr]) -> State:
    """The state after an op where it stores a flag or loads one.

    Args:
        part: what is followed.
        resolve: decides in a state what compares addresses.
    """
    cell = graph.cells.at(op)
    if cell is None:
        return state
    name, value = ("leaf", cell.name), ("leaf", cell.value)
    facts = dict(state.facts)
    if not cell.stores:
        expr = simplify(resolve(graph.expression(cell.value), state), facts)
        facts.pop(name, None)
        if not points(expr) and size(expr) <= _LARGEST:
            facts[name] = expr
    elif cell.value in part.scalars:  # what is loaded decides a way
        known = facts.get(name)
        if known is None or isinstance(known, Range) or cell.value in leaves(known):
            facts.pop(value, None)  # whatever it is, it is what is there
            facts[name] = value
        else:
            facts[value] = known
    return state._replace(facts=frozenset(facts.items()))
