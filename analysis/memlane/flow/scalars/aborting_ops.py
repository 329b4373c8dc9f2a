"""Operations in the middle of a block behind which control never comes: calls of `abort`, or of functions that end so;
assertions of what is false; operations with regions that control only enters to end in one of these.

A path ends there as it does at a terminator without successors. The values that the terminator of such a block forwards
never reach their targets.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from memlane.dialects import select
from memlane.dialects.model import OpModel
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.scc import reachable
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.symbolic.scalar import FALSE, simplify
from memlane.syntax.tree.tree import Block, Op, Value


def stopping(graph: Graph) -> Mapping[Block, Op]:
    """The first such operation of each block that has one."""
    found: dict[Block, Op] = {}
    for name, model in graph.named_models.items():
        for op in _stopping(graph, graph.named[name], model) if model is not None else ():
            _note(op, found)
    for block in [*found]:
        _note_around(graph, block, found)
    return found


def _note(op: Op, found: dict[Block, Op]) -> bool:
    """Note an operation, if it is the first of its block; gives whether it is."""
    if op.parent is None or (op.parent in found and found[op.parent].index <= op.index):
        return False
    found[op.parent] = op
    return True


def _note_around(graph: Graph, block: Block, found: dict[Block, Op]) -> None:
    """Note the operations around a block that ends so, as far as control leaves none of them."""
    holder = block.region.op
    while holder is not graph.function and not _is_left(graph, holder, found) and _note(holder, found):
        assert holder.parent is not None
        holder = holder.parent.region.op


def _is_left(graph: Graph, holder: Op, found: Container[Block]) -> bool:
    """Whether control may come behind an operation with regions."""

    def following(block: Block | None) -> list[Block | None]:
        return [edge.block for edge in graph.written_exits(block)] if block is not None and block not in found else []

    blocks = [*reachable([edge.block for edge in graph.entries(holder)], following)]
    return not blocks or any(block is None or not (block in found or following(block)) for block in blocks)


def _stopping(graph: Graph, ops: list[Op], model: OpModel) -> Iterator[Op]:
    if model.call is not None:
        yield from (op for op in ops if ((known := graph.model(op)) is not None and known.stops) or graph.ends(op))
    elif model.stops:
        yield from ops
    elif model.asserts is not None:
        yield from (op for op in ops if any(_is_false(graph, use.value) for use in select(op, model.asserts, model)))


def _is_false(graph: Graph, value: Value | None) -> bool:
    """Whether constants say that a flag is false."""
    return value is not None and simplify(scalar_of(graph, value), {}) == FALSE
