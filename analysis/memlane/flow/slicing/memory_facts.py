"""What paths know of the flags that are kept in variables (scalar_memory.py), and of those that depend on many
values."""

from __future__ import annotations

from collections.abc import Callable

from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.state import State
from memlane.flow.memory.scalar_memory import FlagAccess, cells_of, is_name
from memlane.flow.scalars.expressions import computed_flags, scalar_of
from memlane.flow.slicing.limits import MAX_CONDITION_PARTS, MAX_KNOWN_VARIABLES
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.range import Range
from memlane.flow.symbolic.scalar import Expr, Facts, leaves, points, simplify, size
from memlane.syntax.tree.tree import Op


def carried(graph: Graph, part: Slice, op: Op, state: State, resolve: Callable[[Expr, State], Expr]) -> State:
    """The state after an op where it stores a flag, loads one, or makes one of so much that it is looked at there.

    Args:
        part: what is followed.
        resolve: decides in a state what compares addresses.
    """
    if computed_flags(graph):
        state = _computed(graph, part, op, state, resolve)
    cell = cells_of(graph).at(op)
    if cell is None or not follows(part, cell):
        ended = cells_of(graph).ended(op) if state.facts else ()
        gone = {("leaf", name) for name in ended}  # another one of the same name is there now, or none
        return state._replace(facts=frozenset(one for one in state.facts if one[0] not in gone)) if gone else state
    name, value = ("leaf", cell.name), ("leaf", cell.value)
    facts = dict(state.facts)
    if not cell.stores:
        expr = simplify(resolve(scalar_of(graph, cell.value), state), facts)
        facts.pop(name, None)
        if not points(expr) and size(expr) <= MAX_CONDITION_PARTS and has_room(facts):
            facts[name] = expr
    elif cell.value in part.scalars:  # what is loaded decides a way
        known = facts.get(name)
        if known is None or isinstance(known, Range) or cell.value in leaves(known):
            facts.pop(value, None)  # whatever it is, it is what is there
            if name in facts or has_room(facts):
                facts[name] = value
        else:
            facts[value] = known
    return state._replace(facts=frozenset(facts.items()))


def _computed(graph: Graph, part: Slice, op: Op, state: State, resolve: Callable[[Expr, State], Expr]) -> State:
    """The state once it is known what the flags are that an op makes, as far as they can be computed."""
    made = [(value, computed_flags(graph).get(value)) for value in op.results if value in part.scalars]
    if not any(expr is not None for _, expr in made):
        return state
    facts = dict(state.facts)
    for value, expr in made:
        if expr is not None:
            facts.pop(name := ("leaf", value), None)
            found = simplify(resolve(expr, state), facts)
            if not points(found) and size(found) <= MAX_CONDITION_PARTS:
                facts[name] = found
    return state._replace(facts=frozenset(facts.items()))


def follows(part: Slice, cell: FlagAccess) -> bool:
    """Whether what is in a variable decides a way somewhere."""
    return not part.plain and any(value in part.scalars for value in cell.loads)


def has_room(facts: Facts) -> bool:
    """Whether another variable may be followed: of many at a time there would be too many combinations."""
    return sum(1 for key in facts if key[0] == "leaf" and is_name(key[1])) < MAX_KNOWN_VARIABLES
