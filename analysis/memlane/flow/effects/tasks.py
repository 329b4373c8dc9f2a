"""Asynchronous work that no value represents, and the ops that wait for it: tasks, as those of OpenMP.

A task is done at any time until the one that began it waits for those it began (`omp.taskwait`), or something waits for
all begun around it or in its regions (`omp.barrier`, `omp.taskgroup`, the end of `omp.parallel`). An artificial value
represents it then, as a token does other work. Only tasks of which all possible waits are visible are analysed: not in
functions with calls or operations without a model, and not with operands, as clauses take them: a task may be done at
once then, or before another one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from memlane.dialects.roles import Tasks
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.ops_by_name import ops_of
from memlane.flow.derived import query
from memlane.syntax.tree.tree import Op, Use, Value


class FunctionTasks(NamedTuple):
    """The tasks of a function.

    Args:
        tokens: by the op that begins it the value that represents each task; none of tasks that are not analysed.
        waits: by op the values that it waits for.
    """

    tokens: dict[Op, Value]
    waits: dict[Op, tuple[Value, ...]]


def tasks_of(graph: Graph) -> FunctionTasks:
    """Those of a function, found once."""
    return query(graph, _find)


def has_tasks(graph: Graph) -> bool:
    """Whether some op of a function begins tasks."""
    return any(True for _ in _of(graph, Tasks.BEGIN))


def _find(graph: Graph) -> FunctionTasks:
    found = FunctionTasks({}, {})
    begun = [op for op in _of(graph, Tasks.BEGIN) if not op.operands]
    unclear = {_home(graph, op) for op in graph.function.walk() if _may_wait(graph, op)} if begun else ()
    for op in begun:
        if _is_told(graph, op, unclear):
            found.tokens[op] = Value("", 0, 0, None, -1, op)
    for kind in (Tasks.WAIT, Tasks.WAIT_ALL) if found.tokens else ():
        for op in _of(graph, kind):
            awaited = _awaited(graph, op, kind, found.tokens)
            for place in _ends(op) if op.regions else (op,):
                found.waits[place] = awaited
                for token in awaited:
                    token.uses.append(Use("", 0, place, 0, value=token))
    return found


def _of(graph: Graph, kind: Tasks) -> Iterator[Op]:
    return ops_of(graph, lambda model: model.tasks is kind)


def _may_wait(graph: Graph, op: Op) -> bool:
    """Whether it is unknown for which tasks an op waits."""
    model = graph.model(op)
    if op.unparsed or model is None or model.call is not None:
        return True
    return model.tasks in (Tasks.WAIT, Tasks.WAIT_ALL) and not op.regions and bool(op.operands or _goes_on(graph, op))


def _goes_on(graph: Graph, op: Op) -> bool:
    """Whether an op says that it does not wait, though others of its name do."""
    model = graph.model(op)
    return model is not None and model.nowait in (*op.keywords, *op.attributes)


def _is_told(graph: Graph, task: Op, unclear: Collection[Op]) -> bool:
    """Whether all that may wait for a task is in sight. Of loops in parallel the text has no end that could wait."""
    for op in _around(graph, task):
        model = graph.model(op)
        if op in unclear or model is None or (model.parallel and model.tasks is None):
            return False
    return True


def _awaited(graph: Graph, op: Op, kind: Tasks, tokens: dict[Op, Value]) -> tuple[Value, ...]:
    if op.operands and not op.regions:
        return ()
    if op.regions:
        return tuple(
            [token for task, token in tokens.items() if op in _around(graph, task) and not _goes_on(graph, op)]
        )
    home = _home(graph, op)
    if kind is Tasks.WAIT:
        return tuple([token for task, token in tokens.items() if _home(graph, task) is home])
    return tuple([token for task, token in tokens.items() if home in _around(graph, task)])


def _ends(op: Op) -> Iterator[Op]:
    """Where control leaves the regions of an op."""
    for block in (block for region in op.regions for block in region.blocks):
        if block.ops and not block.ops[-1].successors:
            yield block.ops[-1]


def _home(graph: Graph, op: Op) -> Op:
    """What begins the tasks that begin where `op` stands: the task around, one of those that run a region in parallel,
    or the function."""
    for around in _around(graph, op):
        model = graph.model(around)
        if model is not None and (model.detached or model.parallel):
            return around
    return graph.function


def _around(graph: Graph, op: Op) -> Iterator[Op]:
    """The ops around one, the function last."""
    while op is not graph.function and op.parent is not None:
        op = op.parent.region.op
        yield op
