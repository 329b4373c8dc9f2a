"""Buffers that are kept in memory of which not all is in sight: which of them a load does not give.

Where no constants tell the places, what is loaded is one of those that the text stores in the same memory. A function
that is passed memory may do anything with what is kept there. But it is taken not to move buffers from one place to
another: what the text stores at one place alone is not what is loaded from another.
"""

from __future__ import annotations

from memlane.flow.cfg.graph import Graph
from memlane.flow.effects.aggregate_buffers import results_of
from memlane.flow.effects.plain_accesses import stored_by
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.memory.pointer_memory import MemoryPlace, slots_of
from memlane.flow.symbolic.types import may_hold_buffer
from memlane.syntax.tree.tree import Op, Use, Value


class OpaqueMemory:
    """What is known of the places of a function, each found once."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._elsewhere: dict[tuple[Op, Value], bool] = {}
        self._spots: dict[Value, set[MemoryPlace] | None] = {}
        self._stored: dict[MemoryPlace, list[Value]] | None = None

    def elsewhere(self, load: Op, made: Value) -> bool:
        """Whether a buffer is kept at other places than the one that `load` loads from, and nowhere else.

        Args:
            made: the first name of the buffer.
        """
        key = load, made
        if key not in self._elsewhere:
            self._elsewhere[key] = self._is_elsewhere(load, made)
        return self._elsewhere[key]

    def _is_elsewhere(self, load: Op, made: Value) -> bool:
        slots = slots_of(self._graph)
        here = slots.spots.get(load)
        stored = self._stored_at(here) if here is not None else []
        if here is None or not all(_is_made_of_none(self._graph, one) for one in stored):
            return False
        if not slots.sharing[here.memory]:
            return not any(one is made or (one.op is not None and one.op is made.op) for one in stored)
        if made not in self._spots:
            self._spots[made] = self._kept_at(made)
        spots = self._spots[made]
        others = {spot.memory for spot in spots or ()} - {here.memory}
        apart = all(slots.sharing[here.memory].isdisjoint(slots.sharing[one]) for one in others)
        return spots is not None and here not in spots and apart

    def _stored_at(self, spot: MemoryPlace) -> list[Value]:
        """What is stored at a place."""
        if self._stored is None:
            self._stored = {}
            for op, at in slots_of(self._graph).spots.items():
                stored = stored_by(self._graph, op)
                if stored is not None:
                    self._stored.setdefault(at, []).append(stored[0])
        return self._stored.get(spot, [])

    def _kept_at(self, made: Value) -> set[MemoryPlace] | None:
        """The places where a buffer is stored by any of its names; None: it may be kept elsewhere as well.

        What a call gives by several results may be one buffer.
        """
        found: set[MemoryPlace] = set()
        pending = [made, *(results_of(self._graph, made.op) if made.op is not None else ())]
        seen = set(pending)
        while pending:
            for use in pending.pop().uses:
                spot = slots_of(self._graph).spots.get(use.op)
                if spot is not None:
                    found.add(spot)
                elif self._is_kept(use):
                    return None
                else:
                    views = {view.result for view in effects_at(self._graph, use.op).views if use.value in view.sources}
                    pending += views - seen
                    seen |= views
        return found

    def _is_kept(self, use: Use) -> bool:
        """Whether an op does more with a buffer than to look at it, to give it back and to give it another name."""
        graph, op = self._graph, use.op
        effects, model = effects_at(graph, op), graph.model(op)
        if model is None or op.regions or use.successor is not None or use.value in effects.escapes:
            return True
        if model.call is not None:
            return model.call.indirect or op.symbol is None or op.symbol in graph.defined
        return model.terminator and use.value not in effects.returned


def _is_made_of_none(graph: Graph, value: Value) -> bool:
    """Whether a value is no buffer that the function had before: an op gives it that is given none, and no number that
    is the address of one."""
    op = value.op
    if op is None or op.regions or any(view.result is value for view in effects_at(graph, op).views):
        return False
    return not any(use.value is None or may_hold_buffer(use.value.type) for use in op.operands)
