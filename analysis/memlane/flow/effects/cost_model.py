"""Which ops are work: between the last use of a buffer and its deallocation, they make that late."""

from __future__ import annotations

from collections.abc import Container
from itertools import accumulate
from typing import NamedTuple

from memlane.dialects.model import OpModel
from memlane.flow.cfg.graph import Graph
from memlane.flow.derived import query
from memlane.syntax.tree.tree import Block, Op


class WorkCount(NamedTuple):
    """How many of some ops are work, and the first of these."""

    operations: int
    first: Op | None


_NO_WORK = WorkCount(0, None)


def is_work(graph: Graph, op: Op) -> bool:
    """Whether an op between a last use and a deallocation makes it late: all but constants and frees do."""
    return query(graph, op_costs).is_work(graph, op)


def work_between(graph: Graph, block: Block, start: int, stop: int) -> WorkCount:
    """The work, in that sense, of the ops of a block from number `start` up to `stop` (exclusive)."""
    return query(graph, op_costs).between(graph, block, start, stop)


def op_costs(_: Graph) -> OpCosts:
    """What is known of the ops of a function: it stays over edits."""
    return OpCosts()


def _works(model: OpModel) -> bool:
    return model.compute != "constant" and not model.leads and (not model.free or bool(model.alloc))


class OpCosts:
    """What is known of the ops of a function. It does not hold their graph: only a collector would part the two."""

    __slots__ = ("_by_name", "_counts")

    def __init__(self) -> None:
        self._by_name: dict[str, bool] = {}
        self._counts: dict[Block, list[int]] = {}

    def is_work(self, graph: Graph, op: Op) -> bool:
        """Whether an op is: all are but constants, deallocations and what has to come first in its block."""
        known = self._by_name.get(op.name)
        if known is None:
            model, named = graph.model(op), graph.models.of(op.name)
            known = model is None or _works(model)
            if named is None or named.call is None:  # calls are what they call
                self._by_name[op.name] = known
        return known

    def between(self, graph: Graph, block: Block, start: int, stop: int) -> WorkCount:
        """The work of the ops of a block from number `start` up to `stop` (exclusive)."""
        if start >= stop:
            return _NO_WORK
        counts = self._counts.get(block)
        if counts is None:
            counts = self._counts[block] = [0, *accumulate([self.is_work(graph, op) for op in block.ops])]
        count, ops = counts[stop] - counts[start], block.ops
        first = (ops[number] for number in range(start, stop) if self.is_work(graph, ops[number]))
        return WorkCount(count, next(first)) if count else _NO_WORK

    def stay(self, gone: Container[Op], near: Container[Block | None]) -> None:
        """Forget the counts of blocks in ops that are gone, and of those that are `near` an edit."""
        known = self._counts.items()
        self._counts = {one: counts for one, counts in known if one not in near and one.region.op not in gone}
