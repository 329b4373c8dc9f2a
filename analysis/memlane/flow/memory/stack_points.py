"""The points of the stack that a function saves, and where it goes back to one (`llvm.intr.stacksave`, `stackrestore`).

Going back releases the stack memory that was made since the point was saved. What is restored may be a point of
another function, or come out of memory that is not followed: then nothing is said of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.ops_by_name import described
from memlane.flow.derived import query
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.pointer_memory import slots_of
from memlane.flow.memory.value_sources import handed_over
from memlane.syntax.tree.tree import Op, Value


class StackPoints(NamedTuple):
    """Those of a function.

    Args:
        saves: the value that stands for the point, by the op that saves it.
        restores: the points to one of which an op goes back.
    """

    saves: Mapping[Op, Value]
    restores: Mapping[Op, Collection[Value]]

    def about(self, resources: Collection[str]) -> Collection[Op]:
        """The ops to execute where buffers of these resources are followed: those of a function that goes back to a
        point, if one is on the stack."""
        return (*self.saves, *self.restores) if self.restores and "stack" in resources else ()


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
