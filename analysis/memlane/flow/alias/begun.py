"""Operations that are only begun, as while somebody types them: what they will use nobody knows yet.

Behind the last use of a buffer stands perhaps one more then. A deallocation that comes after it is not told to be late:
that would be said, and taken back, while each line before a deallocation is written.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from memlane.dialects import select
from memlane.dialects.model import OpModel, Selector
from memlane.flow.alias.liveness import LateFree
from memlane.flow.control.graph import Graph
from memlane.syntax.shapes.vocabulary import registered, vocabulary
from memlane.syntax.tree.tree import Block, Op


def surely_late(graph: Graph, late: Iterable[LateFree]) -> list[LateFree]:
    """The late deallocations without an operation in between that is only begun."""
    by_block: dict[Block, list[LateFree]] = {}
    for free in late:
        if free.op.parent is not None:
            by_block.setdefault(free.op.parent, []).append(free)
    found: list[LateFree] = []
    for block, frees in by_block.items():
        begun = [index for index in range(*_reach(frees)) if _is_begun(graph, block.ops[index])]
        found += [free for free in frees if bisect_left(begun, _start(free)) == bisect_left(begun, free.op.index)]
    return found


def _reach(frees: list[LateFree]) -> tuple[int, int]:
    return min(map(_start, frees)), max(free.op.index for free in frees)


def _start(free: LateFree) -> int:
    return free.after.index + 1 if free.after is not None else 0


def _is_begun(graph: Graph, op: Op) -> bool:
    """Whether an op is, or one in it."""
    return _lacks(graph, op) if not op.regions else any(_lacks(graph, one) for one in op.walk())


def _lacks(graph: Graph, op: Op) -> bool:
    """Whether an op lacks what it is to use, or its name."""
    if op.unparsed or any(use.value is None for use in op.operands):
        return True
    model = graph.models.of(op.name)
    if model is None:
        return not (op.operands or op.types or op.regions) and _is_no_name(op.name)
    if model.call is not None:
        return not op.operands and ":" not in graph.source[op.name_span.end : op.span.end]
    used = _used(model)
    if not op.operands or (model.write and not any(select(op, one, model) for one in model.write)):
        return bool(used)
    return any(one.group is None and one.stop is not None and not select(op, one, model) for one in used)


def _used(model: OpModel) -> tuple[Selector, ...]:
    return (*model.read, *model.write, *(view.of for view in model.view))


def _is_no_name(name: str) -> bool:
    """Whether there is no operation of that name: it has no dialect, or one that is known and has none such."""
    dialect, _, rest = name.partition(".")
    return not rest or (dialect in vocabulary() and not registered(name))
