"""When buffers are last used, and which deallocations come later than that in their own block.

A deallocation is late when, in its block, the last operation that names an alias of the buffer (with the regions
nested in it and what it calls) is followed by an operation other than constants and deallocations before the
deallocation, on every execution (design.md section 3).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from memlane.flow.alias.origin import Origin
from memlane.flow.control.graph import Graph
from memlane.syntax.tree.tree import Op, Value

LastUses = Mapping[Op, Mapping["Op | None", "set[Origin]"]]
"""Per deallocation the ops of its block that were the last to name the buffer on some execution (None: none did), and
where the buffers come from of which that is true."""


@dataclass(frozen=True, slots=True)
class LateFree:
    """A deallocation that comes late.

    Args:
        op: the deallocation.
        origin: the buffer's.
        after: the op of its block after which it could stand; None: at the block's start.
        operations: how many are between, constants and deallocations apart.
        first: the first of them.
        doubt: as in `Incident`.
    """

    op: Op
    origin: Origin
    after: Op | None
    operations: int
    first: Op
    doubt: str = ""


class LastUse(NamedTuple):
    """The op of its block after which a deallocation could stand; None: at its start. `origin`: of one such buffer."""

    op: Op
    origin: Origin
    after: Op | None


def last_uses(
    graph: Graph, seen: Iterable[LastUses], wrong: set[Op], choose: Callable[[Op, set[Origin]], Origin]
) -> Iterator[LastUse]:
    """The last uses before the deallocations in `seen`, in no order, leaving out the `wrong` ones.

    Args:
        choose: which to speak of, of several that a deallocation may free.
    """
    merged: dict[Op, dict[Op | None, set[Origin]]] = {}
    for uses in seen:
        for op, last in uses.items():
            for use, origins in last.items():
                merged.setdefault(op, {}).setdefault(use, set()).update(origins)
    for op, last in merged.items():
        model = graph.model(op)
        if op.parent is None or op in wrong or model is None or model.alloc:
            continue
        after = max((use for use in last if use is not None), key=lambda use: use.index, default=None)
        yield LastUse(op, choose(op, last[after]), after)


def late_free(graph: Graph, last: LastUse, root: Mapping[Value, Value]) -> LateFree | None:
    """The deallocation, if it is late. `root`: of each alias."""
    op, origin, after = last
    assert op.parent is not None
    start = after.index + 1 if after is not None else 0
    work = graph.work(op.parent, start, op.index)
    freed = (
        {root.get(free.value) for free in graph.effects(op).frees} if work.first is not None else set[Value | None]()
    )
    between = (op.parent.ops[number] for number in range(start, op.index))
    if work.first is None or all(not graph.works(one) or _only_frees(graph, one, freed, root) for one in between):
        return None
    return LateFree(op, origin, after, work.operations, work.first)


def _only_frees(graph: Graph, branch: Op, freed: Collection[Value | None], root: Mapping[Value, Value]) -> bool:
    """Whether an operation has regions for nothing but a deallocation of the same buffer: it is no other work."""
    inner = [op for region in branch.regions for block in region.blocks for op in block.ops]
    frees = {root.get(free.value) for op in inner for free in graph.effects(op).frees}
    works = (op for op in inner if op.parent is not None and op.index < len(op.parent.ops) - 1 and graph.works(op))
    return not frees.isdisjoint(freed) and next(works, None) is None
