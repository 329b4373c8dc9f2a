"""Following buffers with no more conditions than tell their states apart.

n flags that are asked again would make 2 to the power of n paths of which most do the same to the buffers. Here paths
on which the buffers are alike are one from the point on where they come together, and what is known of it is what is
known on each (property simulation: Das, Lerner, Seigle, "ESP: path-sensitive program verification in polynomial time",
2002). So a flag that says whether there is a buffer is remembered, and one that has nothing to do with it is not. All
that goes wrong is found, and perhaps what no path does: where nothing does, nothing goes wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.flow.dataflow.events import Pair, Point
from memlane.flow.dataflow.solver import Reached, reach_in_order
from memlane.flow.dataflow.state import Heap, State
from memlane.flow.slicing.liveness import Fading, fading_of
from memlane.flow.symbolic.range import Range
from memlane.flow.symbolic.scalar import Expr
from memlane.flow.typestate.explorer import Explorer
from memlane.flow.typestate.limits import MAX_KNOWN

Known = frozenset[tuple[Expr, Expr | Range]]


class Simulation(Explorer):
    """See the module. Taken again, once all has been explored, steps lead to what is known in the end."""

    _known: dict[Point, dict[Heap, Known]]
    retraceable = False

    def run(self, most: int | None = None) -> Reached[Point, State]:
        """See `Explorer.run`. What paths may forget is asked in any case, as that is what makes them alike."""
        self._fading = fading_of(self._part)[self._summarise] or Fading(self._graph, self._part, self._summarise)
        most = self.budget if most is None else min(most, self.budget)
        reached = reach_in_order(self.starts(), self._patiently(), most, self._place, self._joined)
        self._close()
        return reached

    def _place(self, point: Point) -> int:
        """Where a point is in the text: what branches lead to comes before that where they come together."""
        stops = self._part.stops.get(point.block, ())
        op = stops[point.stop] if point.stop < len(stops) else None
        last = point.block.ops[-1] if point.block.ops else point.block.region.op
        return op.span.start if op is not None else last.span.start + 1

    def starts(self) -> Iterator[Pair]:
        """See `Explorer.starts`."""
        self._known = {}
        return super().starts()

    def _joined(self, point: Point, state: State) -> State:
        """The state that one has become part of."""
        there = self._known.get(point, {})
        facts = there.get(state.heap, state.facts)
        if len(facts) > MAX_KNOWN:
            facts = there[state.heap] = _telling(facts, [one for heap, one in there.items() if heap != state.heap])
        return state if facts == state.facts else state._replace(facts=facts)

    def arrived(self, point: Point, state: State) -> State:
        """See `Explorer.arrived`: with what is known on all paths that come there in one like it."""
        there = self._known.setdefault(point, {})
        facts = there[state.heap] = there.get(state.heap, state.facts) & state.facts
        return state if facts == state.facts else state._replace(facts=facts)


def _telling(facts: Known, others: list[Known]) -> Known:
    """Those facts of which one in others is the contrary, or says something else."""
    known = dict(facts)
    told = {key for other in others for key, fact in other if known.get(key, fact) != fact}
    return frozenset((key, known[key]) for key in told)
