"""The graph of a function, with what edges hand over and where control stops as this package derives it; and how what
is known of a function is kept over an edit of its ops."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Mapping
from typing import Any

from memlane.dialects.model import Models
from memlane.flow.cfg.dominators import known_trees
from memlane.flow.cfg.dominators import stay as stay_known
from memlane.flow.cfg.graph import EdgeMeaning, Graph, Source, blocks_near, comes_back
from memlane.flow.cfg.incomplete_ops import known_incomplete
from memlane.flow.derived import known, query
from memlane.flow.effects.aggregate_buffers import known_fields
from memlane.flow.effects.cost_model import op_costs
from memlane.flow.effects.effects import Effects
from memlane.flow.memory.effects_at import known_effects
from memlane.flow.memory.extern_aliases import known_indirects
from memlane.flow.memory.model_effects import looks_far
from memlane.flow.memory.opaque_aggregates import bindings_of, resting_ops
from memlane.flow.scalars.aborting_ops import stopping
from memlane.syntax.tree.tree import Op, around

_MEANING = EdgeMeaning(bindings_of, stopping)
_STAYING: tuple[Callable[[Graph], Any], ...] = (known_fields, op_costs, known_incomplete, known_effects, known_trees)
"""What is derived of each op or block by itself: of those that an edit does not reach it stays."""


def function_graph(
    function: Op,
    models: Models,
    source: Source = "",
    defined: Container[str] = (),
    ends: Callable[[Op], bool] = comes_back,
) -> Graph:
    """The graph of a function; for the arguments see `Graph`."""
    return Graph(function, models, _MEANING, source, defined, ends)


def put_right(
    graph: Graph,
    gone: set[Op],
    others: Collection[Op],
    fresh: Collection[Op],
    defined: Container[str],
    ends: Callable[[Op], bool],
) -> Mapping[Op, Effects]:
    """Ops are gone with all that is in them, others new or use something else; all else is the same. What is known of
    the rest stays known where it rests on the op itself. Gives the effects that are not known any more."""
    kept = {key: graph.memo[key] for key in _STAYING if key in graph.memo}
    resting, indirects = known(graph, resting_ops), known(graph, known_indirects)
    graph.put_right(gone, others, fresh, defined, ends)
    graph.memo.update(kept)
    far = [op for name, ops in graph.named.items() if looks_far(graph.models.of(name)) for op in ops]
    rest = {*(resting or ()), *around((*gone, *others), graph.function)}  # what is inside may say what is read
    if indirects is not None:
        rest.update(indirects.views, indirects.kept)
    effects = query(graph, known_effects)
    forgotten = {op: effects.pop(op) for op in {*gone, *others, *far, *rest} if op in effects}
    edited = {*gone, *others, *around((*gone, *others), graph.function)}
    query(graph, op_costs).stay(graph, gone, blocks_near(gone, others), edited)
    query(graph, known_incomplete).put_right(graph, gone, others)
    stay_known(query(graph, known_trees), gone)
    return forgotten
