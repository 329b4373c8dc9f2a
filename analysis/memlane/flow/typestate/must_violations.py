"""Leaks that no path avoids, derived from the operations that name the buffer: no other operation could prevent them.

Losing a buffer that is never freed and does not escape is the most frequent mistake of all. Its paths need not be
graded (certainty.py), as there is only one answer.
"""

from __future__ import annotations

from collections.abc import Collection

from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.incomplete_cfg import breaks_off
from memlane.flow.dataflow.events import EventKind, Goal
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.slicing.slice import Slice
from memlane.syntax.tree.tree import Block, Op


def unavoidable(graph: Graph, part: Slice, goals: Collection[Goal]) -> set[Goal]:
    """Of the events that an exploration of `part` has seen, some that happen on all paths that pass their place."""
    origin = _one(graph, part)
    users = {use.op: None for value in part.root for use in value.uses}
    if origin is None or any(_disposes(graph, part, op) for op in users) or not _returns(graph, part):
        return set()
    return {goal for goal in goals if goal.kind is EventKind.LEAK and goal.place is origin.value.op}


def _one(graph: Graph, part: Slice) -> Origin | None:
    """The buffer that is followed, where an op makes it, and nothing but views of it is; else None."""
    origin = next(iter(part.origins.values())) if len(part.origins) == 1 else None
    if origin is None or origin.kind is not OriginKind.ALLOCATION or origin.symbol is not None:
        return None
    if any(root is not origin.value for root in part.root.values()):
        return None
    made = origin.value.op
    return origin if made is not None and not effects_at(graph, made).frees else None


def _disposes(graph: Graph, part: Slice, op: Op) -> bool:
    """Whether an op that names the buffer may do more than read and write it: free it, or hand it on."""
    effects = effects_at(graph, op)
    if effects.unknown or effects.completion or graph.call(op) is not None:
        return True
    handed = (*effects.escapes, *effects.acquires, *effects.returned, *effects.packed)
    return any(map(part.root.__contains__, handed)) or bool(part.frees(op))


def _returns(graph: Graph, part: Slice) -> bool:
    """Whether no path through what is followed ends but by going on behind it, or back to the caller."""
    return not any(_breaks_off(graph, block) for block in part.blocks)


def _breaks_off(graph: Graph, block: Block) -> bool:
    return bool(block.ops) and (graph.stops(block) or breaks_off(graph, block))
