"""Which ops are work: between the last use of a buffer and its deallocation, they make that late.

All are but constants, deallocations and what only says where control goes: an `scf.if`, a loop, a branch between blocks
that lead to nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Container
from itertools import accumulate
from typing import NamedTuple

from memlane.dialects.model import OpModel
from memlane.flow.cfg.graph import Graph
from memlane.flow.derived import query
from memlane.syntax.tree.tree import Block, Op, around


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


def only_leads(graph: Graph, op: Op) -> bool:
    """Whether an op only says where control goes, and so do those in it."""
    return query(graph, op_costs).only_leads(graph, op)


def op_costs(_: Graph) -> OpCosts:
    """What is known of the ops of a function: it stays over edits."""
    return OpCosts()


def _works(model: OpModel) -> bool:
    return model.compute != "constant" and not model.leads and (not model.free or bool(model.alloc))


class OpCosts:
    """What is known of the ops of a function. It does not hold their graph: only a collector would part the two."""

    __slots__ = ("_by_name", "_counts", "_leading", "_leads_by_name")

    def __init__(self) -> None:
        self._by_name: dict[str, bool] = {}
        self._leads_by_name: dict[str, bool] = {}
        self._leading: dict[Op, bool] = {}
        self._counts: dict[Block, list[int]] = {}

    def is_work(self, graph: Graph, op: Op) -> bool:
        """Whether an op is: all are but constants, deallocations, what has to come first in its block, and what leads
        on to nothing."""
        if op.regions and self.only_leads(graph, op):
            return False
        known = self._by_name.get(op.name)
        if known is None:
            model, named = graph.model(op), graph.models.of(op.name)
            known = model is None or _works(model)
            if named is None or named.call is None:  # calls are what they call
                self._by_name[op.name] = known
        return known

    def only_leads(self, graph: Graph, op: Op) -> bool:
        """See `only_leads`. Which holds of no op around one of which it does not."""
        if not op.regions:
            return self._leads(graph, op)
        pending = [op] if op not in self._leading else []
        while pending:
            one = pending.pop()
            inside = [inner for region in one.regions for block in region.blocks for inner in block.ops]
            if one.results or not self._leads(graph, one) or not all(self._leads(graph, inner) for inner in inside):
                self._leading.update(dict.fromkeys((one, *around([one], graph.function)), False))
                break
            pending += (inner for inner in inside if inner.regions)
        return self._leading.setdefault(op, True)

    def _leads(self, graph: Graph, op: Op) -> bool:
        """Whether an op leads on, whatever is in it; or is a constant."""
        known = self._leads_by_name.get(op.name)
        if known is None:
            model = graph.models.of(op.name)
            leads = model is not None and (model.compute == "constant" or model.only_leads)
            known = self._leads_by_name[op.name] = leads
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

    def stay(self, graph: Graph, gone: Container[Op], near: Container[Block | None], edited: Collection[Op]) -> None:
        """Forget the counts of blocks in ops that are gone, and of those that are `near` an edit; and where what is
        `edited`, or in it, leads on no longer, or only does so now."""
        known = self._counts.items()
        self._counts = {one: counts for one, counts in known if one not in near and one.region.op not in gone}
        before = {op: self._leading.pop(op) for op in edited if op in self._leading}
        self._leading = {op: leads for op, leads in self._leading.items() if op not in gone}
        for op, leads in before.items():
            if op not in gone and self.only_leads(graph, op) is not leads and op.parent is not None:
                self._counts.pop(op.parent, None)
