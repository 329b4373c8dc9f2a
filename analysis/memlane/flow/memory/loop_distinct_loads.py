"""Loads from containers in loops: what is loaded in one round is another buffer than what was in the round before."""

from __future__ import annotations

from collections.abc import Container

from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import defining_block, is_inside
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.limits import MAX_NAMES
from memlane.flow.memory.value_sources import handed_over
from memlane.flow.scalars.expressions import given_again
from memlane.syntax.tree.tree import Block, Op, Value


class Rounds:
    """What is known of the loads of a function, each found once."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._before: dict[tuple[Op, Op], bool] = {}
        self._walks: dict[Op, bool] = {}

    def loaded_before(self, load: Op, free: Op) -> bool:
        """Whether what `free` gave back had been loaded in another round of a loop than what `load` gives: from another
        place, as that is computed in the loop. In the same round it may be the same place."""
        key = load, free
        if key not in self._before:
            self._before[key] = _loaded_before(self._graph, load, free)
        return self._before[key]

    def walks(self, load: Op) -> bool:
        """Whether an op loads from what it has loaded in the round before: along a list, which is assumed to be
        acyclic."""
        if load not in self._walks:
            names = [use.value for use in load.operands[:1] if use.value is not None]
            self._walks[load] = any(load in _loads(self._graph, name) for name in names)
        return self._walks[load]


def _loaded_before(graph: Graph, load: Op, free: Op) -> bool:
    if not _is_in_loop_of(graph, load, free):
        return False
    loaded = {op for use in free.operands if use.value is not None for op in _loads(graph, use.value)}
    return bool(loaded) and (free.span.start > load.span.start or not any(_same_place(op, load) for op in loaded))


def _loads(graph: Graph, value: Value) -> set[Op]:
    """The ops that load a buffer which `value` may be: a view of it, or what blocks and regions hand on."""
    found: set[Op] = set()
    pending, seen = [value], {value}
    while pending and len(seen) <= MAX_NAMES:
        value = pending.pop()
        effects = effects_at(graph, value.op) if value.op is not None else None
        if effects is not None and value.op is not None and value in effects.loaded:
            found.add(value.op)
        sources = [one for view in effects.views if view.result is value for one in view.sources] if effects else []
        before = given_again(graph, value.op) if value.op is not None else None
        for source in (*sources, before, *handed_over(graph, value)):
            if source is not None and source not in seen:
                seen.add(source)
                pending.append(source)
    return found


def _same_place(op: Op, load: Op) -> bool:
    return [use.value for use in op.operands] == [use.value for use in load.operands]


def _is_in_loop_of(graph: Graph, load: Op, free: Op) -> bool:
    """Whether a load says its place by something that the innermost loop around it computes, and `free` is in there."""
    block = load.parent
    while block is not None:
        if cycle := graph.cycle(block):
            return _changes(load, cycle, None) and _within(free.parent, cycle, None)
        holder = block.region.op
        if holder is graph.function:
            return False
        if graph.may_repeat(block.region):
            return _changes(load, (), holder) and is_inside(free, holder)
        block = holder.parent
    return False


def _changes(load: Op, cycle: Container[Block], loop: Op | None) -> bool:
    """Whether something by which a load says its place is computed in blocks, or in what these hold; or in a loop."""
    homes = [defining_block(use.value) for use in load.operands if use.value is not None]
    return any(_within(home, cycle, loop) for home in homes)


def _within(block: Block | None, cycle: Container[Block], loop: Op | None) -> bool:
    while block is not None:
        if block in cycle or block.region.op is loop:
            return True
        block = block.region.op.parent
    return False
