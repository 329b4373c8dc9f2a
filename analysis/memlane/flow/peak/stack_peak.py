"""The stack that a function takes: automatic allocations, as often as loops repeat them, and those of its callees."""

from __future__ import annotations

from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.scc import components
from memlane.flow.effects.stackrestore import restoring
from memlane.flow.interproc.program import FunctionFlow
from memlane.flow.memory.enclosing_loops import iterations, stack_loops
from memlane.flow.peak.footprint import Ledger
from memlane.flow.symbolic.amounts import UNBOUNDED, ZERO, Amount, total
from memlane.syntax.tree.tree import Block, Op


class Stacks:
    """The stack that functions take, with what they call; at most so much, on any path."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._known: dict[Op, Amount] = {}

    def of(self, flow: FunctionFlow) -> Amount:
        """Bytes of automatic allocations that live at once; recursion that allocates has no bound."""
        if flow.op not in self._known:
            for members in components([flow], lambda one: () if one.op in self._known else one.callees):
                if members[0].op not in self._known:
                    self._measure(members)
        return self._known[flow.op]

    def _measure(self, members: list[FunctionFlow]) -> None:
        """Functions that call each other, once those are known that they call besides."""
        own = {one.op: total(self._own(one)) for one in members}
        recursive = len(members) > 1 or members[0] in members[0].callees
        grows = recursive and any(amount != ZERO for amount in own.values())
        most = UNBOUNDED if grows else ZERO
        for callee in (callee for one in members for callee in one.callees):
            most = most.join(self._known.get(callee.op, ZERO))
        self._known.update((one.op, own[one.op] + most) for one in members)

    def _own(self, flow: FunctionFlow) -> list[Amount]:
        extents, restored = self._ledger.extents(flow), restoring(flow.graph)
        found: list[Amount] = []
        for cluster in self._ledger.program.aliases(flow).clusters.values():
            for origin in cluster.origins:
                if origin.resource == "stack" and origin.value.op is not None:
                    found.append(_times(flow.graph, origin.value.op, extents.of(origin.value, {}) or ZERO, restored))
        return found


def _times(graph: Graph, op: Op, amount: Amount, restored: set[Block]) -> Amount:
    """An automatic allocation as often as loops repeat it before its scope ends."""
    times = iterations(stack_loops(graph, op, restored))
    return UNBOUNDED if times is None else amount.times(times)
