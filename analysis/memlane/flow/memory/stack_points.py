"""The points of the stack that a function saves, and where it goes back to one (`llvm.intr.stacksave`, `stackrestore`).

Going back releases the stack memory that was made since the point was saved. What is restored may be a point of
another function, or come out of memory that is not followed: then nothing is said of it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from memlane.flow.cfg.dominators import trees_of
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.ops_by_name import described
from memlane.flow.cfg.region_edges import places_around, top
from memlane.flow.cfg.scc import reachable
from memlane.flow.derived import query
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.pointer_memory import slots_of
from memlane.flow.memory.value_sources import handed_over
from memlane.syntax.tree.tree import Block, Op, Value


class StackPoints(NamedTuple):
    """Those of a function.

    Args:
        saves: the value that stands for the point, by the op that saves it.
        restores: the points to one of which an op goes back.
    """

    saves: Mapping[Op, Value]
    restores: Mapping[Op, Collection[Value]]


def points_about(graph: Graph, made: Collection[Value], names: Iterable[Value]) -> Collection[Op]:
    """The ops that save a point or go back to one while stack memory is there, and may be used again.

    A function that gives back what it takes again and again has many, of which each memory lives over few.

    Args:
        made: what makes the memory gives these; none: it is not on the stack.
        names: all values that may denote it.
    """
    points = stack_points(graph)
    if not points.restores or not made:
        return ()
    everything = (*points.saves, *points.restores)
    first = next(iter(made)).op if len(made) == 1 else None
    home = first.parent if first is not None else None
    if first is None or home is None:
        return everything
    users = [top(use.op, home.region) for name in names for use in name.uses]
    handed_on = any(name.block is not None and name.block.region is home.region for name in names)  # to the next round
    if handed_on or any(op is None for op in users):
        return everything
    blocks = {op.parent: None for op in users if op is not None and op.parent is not None}
    last = max((op.index for op in users if op is not None), default=0) if [*blocks] == [home] else len(home.ops)
    before = trees_of(graph, home.region).before
    between = reachable(blocks, lambda block: before[block] if block is not home else ())
    found = [*_among(graph, home, first.index, last)]
    for block in between:
        found += _among(graph, block, -1, len(block.ops)) if block is not home else ()
    return found if any(op in points.restores for op in found) else ()


def _among(graph: Graph, block: Block, first: int, last: int) -> Iterator[Op]:
    """Those in a block and in regions of its ops, behind the first of some ops of it and not behind the last."""
    known = query(graph, _by_block).get(block, ())
    start = bisect_right(known, first, key=_index)
    return (op for _, op in known[start : bisect_right(known, last, key=_index)])


def _index(known: tuple[Op, Op]) -> int:
    return known[0].index


def _by_block(graph: Graph) -> Mapping[Block, Sequence[tuple[Op, Op]]]:
    """The ops that save points or go back to them, by each block around them, with the op of that which they are in."""
    points, found = stack_points(graph), dict[Block, list[tuple[Op, Op]]]()
    for op in (*points.saves, *points.restores):
        for inner, block in places_around(graph, op):
            found.setdefault(block, []).append((inner, op))
    return {block: sorted(some, key=_index) for block, some in found.items()}


def stack_points(graph: Graph) -> StackPoints:
    """Those of a function; found out once."""
    return query(graph, _stack_points)


def _stack_points(graph: Graph) -> StackPoints:
    restoring = described(graph, lambda model: model.restores_stack)
    if not restoring:
        return StackPoints({}, {})
    saving = described(graph, lambda model: model.saves_stack)
    saves = {op: op.results[0] for op in saving if op.results}
    restores: dict[Op, Collection[Value]] = {}
    for op in restoring:
        given = [use.value for use in op.operands]
        points = _denoted(graph, given[0], saves) if given and given[0] is not None else None
        if points:
            restores[op] = points
    return StackPoints(saves, restores)


def _denoted(graph: Graph, value: Value, saves: Mapping[Op, Value]) -> Collection[Value] | None:
    """The points one of which a value stands for; None where it may be another."""
    found: dict[Value, None] = {}
    pending, seen = [value], {value}
    while pending:
        one = pending.pop()
        if one.op in saves:
            found[one] = None
            continue
        sources = [*_sources(graph, one)]
        if not sources or None in sources:
            return None
        fresh = dict.fromkeys(source for source in sources if source is not None and source not in seen)
        seen.update(fresh)
        pending.extend(fresh)
    return found


def _sources(graph: Graph, value: Value) -> Iterator[Value | None]:
    """What a value may be: what edges hand over to it, what it is a view of, or, of a place of local memory, what is
    stored there. None: something else."""
    op = value.op
    if op is None and value.block is None:
        stored = (view for views in slots_of(graph).views.values() for view in views if view.result is value)
        yield from (source for view in stored for source in view.sources)
        return
    if op is not None and not op.regions:
        views = (view for view in effects_at(graph, op).views if view.result is value)
        yield from (source for view in views for source in ((None,) if view.unsure else view.sources))
        return
    yield from handed_over(graph, value)
