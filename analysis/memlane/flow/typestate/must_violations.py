"""Events that no path avoids, derived from the operations that name the buffer: no other operation could prevent them.

Reading a new buffer before anything can have written to it, and losing one that is never freed and does not escape, are
the most frequent mistakes of all. Of those the paths need not be graded (certainty.py), as there is only one answer.
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
    made = origin.value.op if origin is not None else None
    if made is None or made.parent is None:
        return set()
    changing = [op for op in {use.op: None for value in part.root for use in value.uses} if _changes(graph, part, op)]
    return {goal for goal in goals if _happens(graph, part, goal, made, made.parent, changing)}


def _one(graph: Graph, part: Slice) -> Origin | None:
    """The buffer that is followed, where an op makes it, and nothing but views of it is; else None."""
    origin = next(iter(part.origins.values())) if len(part.origins) == 1 else None
    if origin is None or origin.kind is not OriginKind.ALLOCATION or origin.symbol is not None:
        return None
    if any(root is not origin.value for root in part.root.values()):
        return None
    made = origin.value.op
    return origin if made is not None and not effects_at(graph, made).frees else None


def _changes(graph: Graph, part: Slice, op: Op) -> bool:
    """Whether an op that names the buffer may do more than read it."""
    return _disposes(graph, part, op) or any(value in part.root for value in effects_at(graph, op).writes)


def _disposes(graph: Graph, part: Slice, op: Op) -> bool:
    """Whether an op that names the buffer may do more than read and write it: free it, or hand it on."""
    effects = effects_at(graph, op)
    if effects.unknown or effects.completion or graph.call(op) is not None:
        return True
    handed = (*effects.escapes, *effects.acquires, *effects.returned, *effects.packed)
    return any(map(part.root.__contains__, handed)) or bool(part.frees(op))


def _happens(graph: Graph, part: Slice, goal: Goal, made: Op, home: Block, changing: list[Op]) -> bool:
    if goal.kind is EventKind.LEAK:
        return goal.place is made and not any(_disposes(graph, part, op) for op in changing) and _returns(graph, part)
    if goal.kind is not EventKind.UNINITIALIZED_READ:
        return False
    around = _around(goal.place, home)
    return around is not None and not any(_may_come_before(graph, op, goal.place, home, around) for op in changing)


def _returns(graph: Graph, part: Slice) -> bool:
    """Whether no path through what is followed ends but by going on behind it, or back to the caller."""
    return not any(_breaks_off(graph, block) for block in part.blocks)


def _breaks_off(graph: Graph, block: Block) -> bool:
    return bool(block.ops) and (graph.stops(block) or breaks_off(graph, block))


def _around(op: Op, home: Block) -> list[Op] | None:
    """The ops around `op`, out to the block `home`; None where that is not around it."""
    found: list[Op] = []
    block = op.parent
    while block is not home:
        if block is None:
            return None
        found.append(block.region.op)
        block = block.region.op.parent
    return found


def _may_come_before(graph: Graph, op: Op, read: Op, home: Block, around: list[Op]) -> bool:
    """Whether an op may have been executed before one that reads, since the buffer was made in `home`."""
    outside = _around(op, home)
    if op is read:
        outside = around
    elif outside is None or op.span.start < read.span.start:
        return True
    shared = (holder for holder in around if holder in outside)
    return any(graph.may_repeat(region) for holder in shared for region in holder.regions)
