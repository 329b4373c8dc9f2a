"""Regions that several threads run: what one of them frees there all do, where nothing makes them differ."""

from __future__ import annotations

from memlane.dialects.model import Guard
from memlane.dialects.roles import FunctionRole, Threads
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import is_defined_in, is_inside
from memlane.flow.scalars.edge_conditions import condition_of
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.symbolic.scalar import leaves
from memlane.flow.symbolic.types import is_integer
from memlane.syntax.tree.tree import Block, Op, Value, ancestors


def shared_by(graph: Graph, op: Op, made: Value) -> Op | None:
    """The op around `op` whose threads all execute that, each of them on a buffer that is made outside and so the same.

    None where no such op exists, or only some of the threads may reach `op`: the condition for that may distinguish
    the threads.
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


def is_of_gpu(graph: Graph, op: Op) -> bool:
    """Whether threads of a GPU run an op: it stands in a kernel, in what starts one with its body, or in a module of
    such functions."""
    return any(_is_on_device(graph, one) for one in ancestors(op))


def team_around(graph: Graph, op: Op) -> Op | None:
    """The innermost op around another that several threads run: a kernel, or a parallel region."""
    for around in ancestors(op):
        model = graph.model(around)
        if model is not None and (model.function is FunctionRole.KERNEL or model.threads is Threads.ALL):
            return around
        if around is graph.function:
            break
    return None


def _is_on_device(graph: Graph, op: Op) -> bool:
    model = graph.model(op)
    return model is not None and model.device


def _team(graph: Graph, op: Op) -> Op | None:
    blocks: list[Block] = []
    while op is not graph.function and op.parent is not None:
        blocks.append(op.parent)
        op = op.parent.region.op
        model = graph.model(op)
        if model is None or model.threads is Threads.ONE:
            return None
        if model.threads is Threads.ALL:
            return op if all(_is_for_all_or_none(graph, block, op) for block in blocks) else None
    return None


def _is_for_all_or_none(graph: Graph, block: Block, team: Op) -> bool:
    """Whether the threads of a team that come to the op around a block all enter it there, or none does.

    So it is where nothing decides that, or what is made outside the team.
    """
    around = block.region.op
    edges = graph.entries(around) if around is not graph.function else ()
    entered = [edge for edge in edges if edge.block is block]
    if block.index != 0 or len(entered) != 1:
        return False
    if entered[0].guard is Guard.ALWAYS:
        return len(edges) == 1
    asked = condition_of(graph, entered[0])
    return asked is not None and not any(is_defined_in(leaf, team) for leaf in leaves(asked))


def _has_several(graph: Graph, team: Op) -> bool:
    """Whether there may be more than one thread."""
    numbers = [use.value for use in team.operands if use.value is not None and is_integer(use.value.type)]
    known = [expr for value in numbers if (expr := scalar_of(graph, value))[0] == "const" and 0 <= expr[1] <= 1]
    return not numbers or len(known) < len(numbers)
