"""What one operation does to memory, by the names that the text gives: with the fields of aggregates and the places of
local memory that it loads from and stores to."""

from __future__ import annotations

from memlane.dialects.op_names import seems_to_return
from memlane.flow.cfg.graph import Graph
from memlane.flow.derived import query
from memlane.flow.effects.aggregate_buffers import is_packing, through_fields
from memlane.flow.effects.effects import NO_EFFECTS, Effects, undescribed
from memlane.flow.memory.model_effects import effects_of, silent
from memlane.flow.memory.opaque_aggregates import through_untold
from memlane.flow.memory.pointer_memory import containers_passed, through_containers, through_slots
from memlane.syntax.tree.tree import Op


def own_effects(graph: Graph, op: Op) -> Effects:
    """What `op` itself does, without what it does to the names of `extern_aliases.py`."""
    model = graph.model(op)
    if model is None:
        found = undescribed(op)
        if seems_to_return(op.name) and graph.is_outermost(op):
            found = found._replace(returned=found.reads)  # of which nothing is certain, as `unknown` says
        found = through_containers(graph, op, found) if query(graph, containers_passed) else found
        return through_untold(graph, op, through_fields(graph, op, found)) if is_packing(op) else found
    if model.call is None and model is graph.models.of(op.name):  # not known by the function it calls: others differ
        quiet = query(graph, _silent)
        if op.name not in quiet:
            quiet[op.name] = silent(model)
        if quiet[op.name]:
            return NO_EFFECTS
    found = effects_of(graph, op, model)
    found = through_containers(graph, op, found) if query(graph, containers_passed) else found
    if not is_packing(op):
        return through_slots(graph, op, model, found)
    return through_untold(graph, op, through_slots(graph, op, model, through_fields(graph, op, found)))


def _silent(_: Graph) -> dict[str, bool]:
    """For the names of ops, whether those of that name do nothing to memory."""
    return {}
