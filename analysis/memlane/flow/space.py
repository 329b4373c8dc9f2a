"""Where memory lies: the memory space of a buffer, which functions' budgets speak of, and the stack a function takes.

Spaces are what the memref type says (`memref<4xf32, 1>` lies in space `1`); the default space is the empty text.
"""

from __future__ import annotations

import re

from memlane.flow.alias import Origin
from memlane.flow.amounts import UNBOUNDED, ZERO, Amount, total
from memlane.flow.extent import Extents
from memlane.flow.footprint import Ledger
from memlane.flow.graph import Graph
from memlane.flow.program import FunctionFlow
from memlane.syntax.tree import Op

_LAYOUT = re.compile(r"strided<|affine_map<|#map\d*$|\(|offset")


def space_of(origin: Origin) -> str:
    """The memory space of a buffer, as written; empty for the default one."""
    inner = (origin.value.type or "").strip()
    if not inner.startswith("memref<") or not inner.endswith(">"):
        return ""
    *_, last = parts = _parts(inner[len("memref<") : -1])
    if len(parts) < 2 or _LAYOUT.match(last):
        return ""
    return last.partition(" : ")[0].strip()


def _parts(text: str) -> list[str]:
    """The parts of `text` between its top-level commas."""
    parts, depth, start = list[str](), 0, 0
    for index, character in enumerate(text):
        if character in "<([{":
            depth += 1
        elif character in ")]}" or (character == ">" and text[index - 1] != "-"):
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    return [*parts, text[start:].strip()]


class Stacks:
    """The stack that functions take, with what they call; at most so much, on any path."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._known: dict[Op, Amount] = {}

    def of(self, flow: FunctionFlow) -> Amount:
        """Bytes of automatic allocations that live at once; recursion that allocates has no bound."""
        found = self._known.get(flow.op)
        if found is None:
            own = total(self._own(flow))
            self._known[flow.op] = UNBOUNDED if own != ZERO else ZERO
            most = ZERO
            for op in flow.op.walk():
                callee = self._ledger.program.callee(op) if flow.graph.call(op) is not None else None
                if callee is not None:
                    most = most.join(self.of(callee))
            found = self._known[flow.op] = own + most
        return found

    def _own(self, flow: FunctionFlow) -> list[Amount]:
        extents = Extents(flow.graph, self._ledger.assumed)
        found: list[Amount] = []
        for cluster in self._ledger.program.aliases(flow).clusters.values():
            for origin in cluster.origins:
                if origin.resource == "stack" and origin.value.op is not None:
                    found.append(_times(flow.graph, origin.value.op, extents.of(origin.value, {}) or ZERO))
        return found


def _times(graph: Graph, op: Op, amount: Amount) -> Amount:
    """An automatic allocation as often as loops repeat it before its scope ends."""
    while op is not graph.function and op.parent is not None:
        if graph.effects(op).scope or _parallel(graph, op):
            break
        block = op.parent
        if graph.cycle(block):
            return UNBOUNDED
        op = block.region.op
        if op is not graph.function and graph.may_repeat(block.region):
            trip = graph.trip(op)
            if trip is None or any(bound[0] != "const" for bound in (trip.lower, trip.upper, trip.step)):
                return UNBOUNDED
            low, high, step = trip.lower[1], trip.upper[1], trip.step[1]
            amount = amount.times(max(0, -(-(high - low) // step)) if step > 0 else 1)
    return amount


def _parallel(graph: Graph, op: Op) -> bool:
    """Whether what runs inside has a stack of its own."""
    model = graph.model(op)
    return model is not None and model.parallel
