"""What the operations of a function do to memory, as rules and paths ask it."""

from __future__ import annotations

from memlane.flow.cfg.graph import Graph
from memlane.flow.derived import known, query
from memlane.flow.effects.aggregate_buffers import known_fields
from memlane.flow.effects.effects import Effects
from memlane.flow.memory.extern_aliases import Indirect, indirects_of, known_indirects, through_indirects
from memlane.flow.memory.own_effects import own_effects
from memlane.flow.memory.pointer_memory import known_slots
from memlane.syntax.tree.tree import Op, Value


def effects_at(graph: Graph, op: Op) -> Effects:
    """What `op` itself does to memory; its regions' ops speak for themselves."""
    found = query(graph, known_effects).get(op)
    if found is None:
        found, names = own_effects(graph, op), indirects_of(graph)
        found = through_indirects(names, op, found) if names.views else found
        query(graph, known_effects)[op] = found
    return found if op not in graph.taken_out else found._replace(frees=())


def known_effects(_: Graph) -> dict[Op, Effects]:
    """Those of a function that have been asked for: what an edit does not reach stays."""
    return {}


def handed_on(graph: Graph, op: Op | None) -> tuple[Indirect, ...]:
    """The names of what an operation that ends the function may hand to the caller with what calls have given."""
    if op is None or not effects_at(graph, op).returned:
        return ()
    return indirects_of(graph).named.get(op, ())


def named_through(graph: Graph, op: Op) -> list[Value]:
    """What an op names without naming it: what it loads from slots, or is lent in them; fields of what it names; and
    what it may reach through what a function has given."""
    found: list[Value] = []
    fields, slots, indirects = known(graph, known_fields), known(graph, known_slots), known(graph, known_indirects)
    if fields is not None and fields.some:
        found += fields.behind(use.value for use in (*op.operands, *(o for s in op.successors for o in s.operands)))
    if slots is not None and slots.views:
        found += (source for view in slots.views.get(op, ()) for source in view.sources)
        found += slots.lent.get(op, ())
    if slots is not None and op in slots.again:
        found += slots.again[op].sources
    if slots is not None and (slots.given or slots.hidden):
        found += (name for names in slots.given.get(op, {}).values() for name in names if name is not None)
        found += slots.hidden.get(op, ())
    if indirects is not None:
        found += indirects.named.get(op, ())
    return found
