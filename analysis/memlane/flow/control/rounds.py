"""Loads from containers in loops: what is loaded in one round is another buffer than what was in the round before."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

from memlane.flow.control.within import defining_block, is_inside
from memlane.syntax.tree.tree import Block, Op, Value

if TYPE_CHECKING:
    from memlane.flow.control.graph import Graph


def loaded_before(graph: Graph, load: Op, free: Op) -> bool:
    """Whether what `free` gave back had been loaded in another round of a loop than what `load` gives: from another
    place, as that is computed in the loop. In the same round it may be the same place."""
    loaded = [op for use in free.operands if use.value is not None and (op := _loading(graph, use.value)) is not None]
    if not loaded or not _is_in_loop_of(graph, load, free):
        return False
    return free.span.start > load.span.start or not any(_same_place(op, load) for op in loaded)


def _loading(graph: Graph, value: Value) -> Op | None:
    """The op that loads a buffer, of which `value` may be a view."""
    seen: set[Value] = set()
    while value.op is not None and value not in seen:
        seen.add(value)
        effects = graph.effects(value.op)
        if value in effects.loaded:
            return value.op
        view = next((one for one in effects.views if one.result is value), None)
        if view is None or len(view.sources) != 1:
            return None
        value = view.sources[0]
    return None


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
