"""On how many of the paths from an allocation its buffer is freed, where that can be counted by hand.

Only where each branch on the way has a condition of its own and nothing repeats: elsewhere fewer paths are possible
than branches make, or more than anybody wants to hear of.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memlane.dialects.model import Guard
from memlane.flow import FunctionFlow
from memlane.flow.cfg.edge import Edge
from memlane.flow.memory.effects_at import effects_at
from memlane.ide.buffer_names import BufferNames, memory_of
from memlane.ide.limits import MAX_PATH_STEPS, MAX_PATHS
from memlane.ide.locate import at, enclosing
from memlane.ide.snapshot import File
from memlane.syntax.tree.tree import Block, Op, Value, ancestors


@dataclass(frozen=True, slots=True)
class FreedPaths:
    """So many of `all` paths free the buffer."""

    freed: int
    all: int


class _Unclear(Exception):
    """The paths cannot be counted."""


def paths_of(file: File, value: Value) -> FreedPaths | None:
    """The paths from where `value` is allocated to the end of its function or to where it is freed; None: unclear."""
    place = value.span.start
    linked = file.linked(at(place))
    flow = linked.flow(enclosing(linked.tree, place), place)
    memory = memory_of(file, value)
    if flow is None or memory is None or memory.value.op is None or len(memory.origins) != 1:
        return None
    try:
        return _counted(flow, memory, memory.value.op)
    except _Unclear:
        return None


def _counted(flow: FunctionFlow, memory: BufferNames, start: Op) -> FreedPaths:
    names = frozenset(memory.names)
    users = {use.op for name in names for use in name.uses}
    holders = users.union(*(ancestors(op) for op in users))
    freed = number = steps = 0
    waiting: list[tuple[Op | None, Block, frozenset[object]]] = [(start, _home(start), frozenset())]
    while waiting:
        after, block, seen = waiting.pop()
        for op in _following(after, block):
            steps += 1
            if steps > MAX_PATH_STEPS or number > MAX_PATHS:
                raise _Unclear
            if _frees(flow, names, op):
                freed, number = freed + 1, number + 1
                break
            if op.regions and op in holders:
                waiting += _entered(flow.graph.entries(op), seen)
                break
        else:
            left = flow.graph.exits(block)
            number += not left or all(one.leaves is flow.op for one in left)
            waiting += _entered([one for one in left if one.leaves is not flow.op], seen)
    if number > MAX_PATHS:
        raise _Unclear
    return FreedPaths(freed, number)


def _entered(
    edges: tuple[Edge, ...] | list[Edge], seen: frozenset[object]
) -> Iterator[tuple[Op | None, Block, frozenset[object]]]:
    """Where control goes by some edges. `seen`: the blocks and conditions of the path."""
    if len(edges) > 1:
        flags = {_flag(edge) for edge in edges}
        if None in flags or flags & seen:
            raise _Unclear
        seen |= flags
    for edge in edges:
        if edge.block is None and edge.leaves is not None:
            yield edge.leaves, _home(edge.leaves), seen
        elif edge.block is None or edge.block in seen:
            raise _Unclear
        else:
            yield None, edge.block, seen | {edge.block}


def _flag(edge: Edge) -> object:
    """What decides about an edge; None where it is not one value."""
    if edge.guard not in (Guard.TRUE, Guard.FALSE) or edge.number >= len(edge.place.operands):
        return None
    return edge.place.operands[edge.number].value


def _frees(flow: FunctionFlow, names: frozenset[Value], op: Op) -> bool:
    effects = effects_at(flow.graph, op)
    uses = [use.value for use in op.operands if use.value in names]
    gone = (*effects.escapes, *effects.returned)
    if uses and (flow.graph.call(op) is not None or any(value in names for value in gone)):
        raise _Unclear
    return any(free.value in names and free.condition is None for free in effects.frees)


def _following(after: Op | None, block: Block) -> list[Op]:
    """The ops of a block behind one of them, or all."""
    return block.ops if after is None else block.ops[block.ops.index(after) + 1 :]


def _home(op: Op) -> Block:
    if op.parent is None:
        raise _Unclear
    return op.parent
