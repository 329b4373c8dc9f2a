"""Operations to take out with some others: those around them that hold nothing else then."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from memlane.flow.control.graph import Graph
from memlane.syntax.tree.tree import Block, Op


def emptied(graph: Graph, removed: Iterable[Op], filled: Collection[Block]) -> set[Op]:
    """`removed`, and the operations of which nothing is left; of those one inside another the outermost alone.

    Args:
        filled: blocks into which something is put.
    """
    gone = {*removed}
    pending = [*gone]
    while pending:
        block = pending.pop().parent
        around = block.region.op if block is not None else None
        if around is None or around.results or around is graph.function or around in gone:
            continue
        inner = [b for region in around.regions for b in region.blocks]
        model = graph.model(around)
        if model is None or not model.regions or any(b in filled for b in inner):
            continue
        if all(_is_nothing(graph, op, gone) for b in inner for op in b.ops):
            gone.add(around)
            pending.append(around)
    return {op for op in gone if not _is_inside(op, gone)}


def _is_nothing(graph: Graph, op: Op, gone: Collection[Op]) -> bool:
    model = graph.model(op)
    return op in gone or (model is not None and model.terminator and not op.operands and not op.successors)


def _is_inside(op: Op, gone: Collection[Op]) -> bool:
    while op.parent is not None:
        op = op.parent.region.op
        if op in gone:
            return True
    return False
