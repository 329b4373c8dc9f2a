"""Of several deallocations that may have freed a buffer the first is as good as any.

A path tells which it was, so n branches that each free one buffer make n states of each point behind them. All continue
alike, and violations are reported for the first of them: that is the path that would be reported in any case. As states
are visited in the order in which they are found, the successors of the first are found first.
"""

from __future__ import annotations

from memlane.flow.dataflow.events import Point
from memlane.flow.dataflow.state import Instance, State
from memlane.syntax.tree.tree import Op


class Freed:
    """See the module.

    Args:
        by: an op that stands for any.
    """

    def __init__(self, by: Op) -> None:
        self._by = by
        self._first: dict[tuple[Point, State], dict[Instance, Op | None]] = {}

    def first(self, point: Point, state: State) -> State:
        """A state that control comes to a point in, or the one like it in which it came there first."""
        if all(held.freed is None for held in state.heap):
            return state
        alike = {held: self._alike(held) for held in state.heap}
        as_any = State(state.facts, frozenset(alike.values()))
        if len(as_any.heap) < len(alike):
            return state
        first = self._first.setdefault((point, as_any), {like: held.freed for held, like in alike.items()})
        if all(held.freed is first[like] for held, like in alike.items()):
            return state
        return state._replace(heap=frozenset(self._freed_by(held, first[like]) for held, like in alike.items()))

    def _alike(self, held: Instance) -> Instance:
        if held.freed is None:
            return held if held.tag is None else held._replace(tag=None)
        return held._replace(freed=self._by, tag=None)

    def _freed_by(self, held: Instance, op: Op | None) -> Instance:
        return held if op is None or held.freed is None else held._replace(freed=op)
