"""Regions that several threads run: what one of them frees there all do, where nothing makes them differ."""

from __future__ import annotations

from memlane.dialects.model import Guard
from memlane.dialects.roles import Threads
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import is_inside
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.symbolic.types import is_integer
from memlane.syntax.tree.tree import Op, Value


def shared_by(graph: Graph, op: Op, made: Value) -> Op | None:
    """The op around `op` whose threads all execute that, each of them on a buffer that is made outside and so the same.

    None where no such op exists, or not all threads need reach `op`: the condition for that may distinguish the
    threads.
    """
    team = _team(graph, op)
    if team is None or (made.op is not None and is_inside(made.op, team)) or not _has_several(graph, team):
        return None
    return team if made.op is not None or made.block is graph.entry else None


def runs_as_called(graph: Graph, op: Op) -> bool:
    """Whether an op is run by all threads that call its function, as far as the ops around it tell."""
    while op is not graph.function and op.parent is not None:
        op = op.parent.region.op
        model = graph.model(op) if op is not graph.function else None
        if op is not graph.function and (model is None or model.threads is not None):
            return False
    return True


def _team(graph: Graph, op: Op) -> Op | None:
    every = True
    while op is not graph.function and op.parent is not None:
        every = every and op.parent.index == 0
        block, op = op.parent, op.parent.region.op
        model = graph.model(op)
        if model is None or model.threads is Threads.ONE:
            return None
        edges = graph.entries(op) if op is not graph.function else ()
        every = every and len(edges) == 1 and edges[0].block is block and edges[0].guard is Guard.ALWAYS
        if model.threads is Threads.ALL:
            return op if every else None
    return None


def _has_several(graph: Graph, team: Op) -> bool:
    """Whether there may be more than one thread."""
    numbers = [use.value for use in team.operands if use.value is not None and is_integer(use.value.type)]
    known = [expr for value in numbers if (expr := scalar_of(graph, value))[0] == "const" and 0 <= expr[1] <= 1]
    return not numbers or len(known) < len(numbers)
