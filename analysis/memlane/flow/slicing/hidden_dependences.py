"""Whether ops of a function have to do with each other that neither use nor give what the others do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from memlane.flow.cfg.graph import Graph
from memlane.flow.derived import query
from memlane.flow.effects.aggregate_buffers import has_fields
from memlane.flow.effects.tasks import has_tasks
from memlane.flow.memory.extern_aliases import indirects_of
from memlane.flow.memory.pointer_memory import containers_passed, slots_of
from memlane.flow.memory.scalar_memory import cells_of
from memlane.flow.memory.stack_points import stack_points
from memlane.flow.scalars.assertions import asserted
from memlane.flow.scalars.expressions import loads_again
from memlane.flow.slicing.address_reuse import compares_addresses
from memlane.flow.symbolic.types import may_hold_buffer
from memlane.syntax.tree.tree import Op


def hides(graph: Graph) -> bool:
    """Whether what an op does may depend on others that no use leads to.

    Buffers have names that the text does not mention, places of slots, fields of aggregates, what calls give, and what
    was stored or loaded before; conditions are asserted; control ends in the middle of a block; tasks are waited for
    without a token; the stack goes back to a point that was saved; or it is asked whether buffers have the same
    address, which depends on whether one had been freed. Found out once. Of numbers that are loaded, `ties` tells on
    which ops they depend.
    """
    return query(graph, known_hidden)


def known_hidden(graph: Graph) -> bool:
    """The same; known once it has been asked for."""
    slots = slots_of(graph)
    kept = bool(slots.views or slots.spots or query(graph, containers_passed) or indirects_of(graph).views)
    kept = kept or has_fields(graph) or has_tasks(graph)
    kept = kept or any(may_hold_buffer(one.value.type) for one in loads_again(graph).values())
    kept = kept or bool(stack_points(graph).restores)
    return kept or bool(asserted(graph) or graph.stopping) or compares_addresses(graph)


class Tie(NamedTuple):
    """On which ops one depends that no use leads to.

    Args:
        before: what stored what it loads, or loaded that before any other.
        variable: all that have to do with the variables that it loads from, stores to, makes or gives back.
        deciding: those by which it is decided whether a variable is followed.
    """

    before: frozenset[Op] = frozenset()
    variable: frozenset[Op] = frozenset()
    deciding: frozenset[Op] = frozenset()


Ties = Mapping[Op, Tie]


def ties(graph: Graph) -> Ties:
    """Of the ops of a function that load numbers again, and those that have to do with flags in variables. Found out
    once."""
    return query(graph, known_ties)


def known_ties(graph: Graph) -> Ties:
    """The same; known once they have been asked for."""
    found = {load: Tie(frozenset((before.op,))) for load, before in loads_again(graph).items()}
    for op, (variable, deciding) in cells_of(graph).groups(graph).items():
        found[op] = Tie(found[op].before if op in found else frozenset(), variable, deciding)
    return found
