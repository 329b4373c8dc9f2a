"""Buffers that are made in one block of a function and given back in another, to which control comes in any case.

What stands between these in the text is what control passes between them: there the buffer lives, whichever way that
goes. So it needs no exploration either (live_intervals.py): each of n that live side by side would be named in n
states.
"""

from __future__ import annotations

from collections.abc import Callable

from memlane.flow.alias.alias import Cluster
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import top
from memlane.flow.effects.effects import FreeOf
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.peak.live_intervals import Interval, Mentions, Timeline, plainly_made
from memlane.flow.peak.touching_ops import touches
from memlane.flow.slicing.body_blocks import BodyBlocks
from memlane.flow.symbolic.amounts import Amount
from memlane.syntax.tree.tree import Op, Value


def crossing(
    graph: Graph,
    line: Timeline,
    cluster: Cluster,
    size: Amount,
    takes: Mentions,
    body: BodyBlocks,
    bound: bool,
    movable: Callable[[Graph, Op], bool],
) -> Interval | None:
    """The life of a cluster's buffer; None for other buffers.

    Args:
        bound: it is enough to know by when the buffer is used no more.
        movable: see `interval`.
    """
    made = plainly_made(graph, cluster)
    if made is None or made.parent is None or not body.of(made.parent.region):
        return None
    freed: Op | None = None
    first, last = None if movable(graph, made) else made, made
    for value, user in [(name, use.op) for name in cluster.root for use in name.uses]:
        around = top(user, made.parent.region)
        if around is None or user not in line.position or _is_taken(graph, value, user, takes):
            return None
        frees = [free for free in effects_at(graph, user).frees if free.value is value]
        if frees and (freed is not None or around is not user or not _is_simple(graph, user, frees[0])):
            return None
        freed = user if frees else freed
        if not frees and touches(graph, user):
            first = around if first is None or line.position[around] < line.position[first] else first
            last = around if line.end[around] > line.end[last] else last
    if freed is None or freed.parent is made.parent or not line.position[made] <= line.end[last] < line.position[freed]:
        return None
    if not _is_crossed(body, made, freed):
        return None
    used = line.end[last]
    if not _is_crossed(body, made, last):
        if not bound or last.parent is None or freed.parent is None:
            return None
        around = body.returns(last.parent, freed.parent)
        used = line.end[around.ops[-1]] if around is not None else used
    start = line.position[made]
    begun = used + 1 if first is None else _begun(line, body, first, freed)
    ends = line.position[freed], used + 1, line.position[freed] + 1
    return Interval(cluster.origins[0], size, (start, max(start, begun), start), ends)


def _begun(line: Timeline, body: BodyBlocks, first: Op, freed: Op) -> int:
    """From where on a buffer lives that no op before `first` touches: in the text, control may come back from there."""
    assert first.parent is not None and freed.parent is not None
    around = body.returned_to(first.parent, freed.parent)
    return line.position[first] if around is None else line.segment(around, (), 0)[0]


def _is_taken(graph: Graph, value: Value, user: Op, takes: Mentions) -> bool:
    """Whether an op may do more to a buffer than to use it or to free it."""
    effects = effects_at(graph, user)
    given = (*effects.escapes, *effects.returned, *effects.packed)
    return effects.unknown or value in given or (graph.call(user) is not None and takes(user))


def _is_simple(graph: Graph, user: Op, free: FreeOf) -> bool:
    effects = effects_at(graph, user)
    return len(effects.frees) == 1 and not effects.allocs and free.condition is None


def _is_crossed(body: BodyBlocks, made: Op, end: Op) -> bool:
    first, last = made.parent, end.parent
    return first is last or (first is not None and last is not None and body.crossed(first, last))
