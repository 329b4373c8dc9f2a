"""Whether ops of a function have to do with each other that neither use nor give what the others do."""

from __future__ import annotations

from memlane.flow.cfg.graph import Graph
from memlane.flow.derived import query
from memlane.flow.effects.aggregate_buffers import has_fields
from memlane.flow.effects.tasks import has_tasks
from memlane.flow.memory.extern_aliases import indirects_of
from memlane.flow.memory.pointer_memory import containers_passed, slots_of
from memlane.flow.memory.scalar_memory import has_cells
from memlane.flow.memory.stack_points import stack_points
from memlane.flow.scalars.assertions import asserted
from memlane.flow.scalars.expressions import loads_again
from memlane.flow.slicing.address_reuse import compares_addresses


def hides(graph: Graph) -> bool:
    """Whether what an op does may depend on others that no use leads to.

    Buffers have names that the text does not mention, places of slots, fields of aggregates, and what calls give;
    flags are kept in variables; what is loaded was stored there, or loaded before; conditions are asserted; control
    ends in the middle of a block; tasks are waited for without a token; the stack goes back to a point that was saved;
    or it is asked whether buffers have the same address, which depends on whether one had been freed. Found out once.
    """
    return query(graph, known_hidden)


def known_hidden(graph: Graph) -> bool:
    """The same; known once it has been asked for."""
    slots = slots_of(graph)
    kept = bool(slots.views or slots.spots or query(graph, containers_passed) or indirects_of(graph).views)
    kept = kept or has_fields(graph) or has_cells(graph) or has_tasks(graph)
    kept = kept or bool(loads_again(graph) or stack_points(graph).restores)
    return kept or bool(asserted(graph) or graph.stopping) or compares_addresses(graph)
