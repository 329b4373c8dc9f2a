"""Following buffers without regard to where they were made, to see whether anything goes wrong at all.

Where n calls or branches in a row may each put a new buffer in place of the one before, there are n buffers that it may
be by then, and n squared states in all. How a buffer is freed depends on its resource alone: of those that were made
alike one stands for all, once control has gone on to another block. What goes wrong with none of them then goes wrong
with none; what does is looked for again, buffer by buffer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memlane.flow.alias.alias import Cluster, Origin, OriginKind
from memlane.flow.alias.liveness import LastUses
from memlane.flow.control.graph import Edge, Graph
from memlane.flow.paths.narrow import Within
from memlane.flow.slices.slice import Slice
from memlane.flow.states.calls import Callees
from memlane.flow.states.context import Context
from memlane.flow.states.events import Pair, Point
from memlane.flow.states.solver import Reached
from memlane.flow.states.state import Instance, State
from memlane.syntax.tree.tree import Block, Value


class Alike(Within):
    """See the module. Where many buffers live at once, that one may stand for another makes no fewer states."""

    many = 8

    def __init__(self, graph: Graph, part: Slice, callees: Callees, context: Context) -> None:
        super().__init__(graph, part, callees, context=context)
        self._stand_for: dict[tuple[OriginKind, str], dict[Origin, None]] = {}

    def last_uses(self, reached: Reached[Point, State]) -> LastUses:
        """See `Explorer.last_uses`."""
        found = super().last_uses(reached)
        for op, uses in found.items():
            near = {value for free in self._graph.effects(op).frees for value in self._handed(free.value)}
            for origins in uses.values():
                meant = {one for first in origins for one in self._alike(first) if one.value in near}
                if meant:
                    origins.clear()
                    origins.update(meant)
        return found

    def step(self, point: Point, state: State) -> Iterable[Pair]:
        """See `Explorer.step`."""
        for after, then in super().step(point, state):
            yield after, self._without_origins(then)

    def _follow(self, edge: Edge, source: Block | None, state: State) -> Iterator[Pair]:
        for after, then in super()._follow(edge, source, state):
            pair = after, self._without_origins(then)
            self.log.taken.setdefault(pair, edge)
            yield pair

    def _without_origins(self, state: State) -> State:
        heap = frozenset(map(self._first, state.heap))
        return state if heap == state.heap else state._replace(heap=heap)

    def _first(self, held: Instance) -> Instance:
        origin = held.origin
        if not _is_any(origin):
            return held
        alike = self._alike(origin)
        alike.setdefault(origin)
        first = next(iter(alike))
        return held if first is origin else held._replace(origin=first)

    def _alike(self, origin: Origin) -> dict[Origin, None]:
        return self._stand_for.setdefault((origin.kind, origin.resource), {})

    def _handed(self, freed: Value) -> Iterator[Value | None]:
        """What a name denotes: the buffers that are handed to it directly, or its own."""
        root = self._part.root.get(freed)
        yield root
        for edge in self._graph.entering(root.block) if root is not None and root.block is not None else ():
            yield from (self._part.root.get(value) for value, to in edge.bindings if to is root and value is not None)


def may_be_alike(clusters: Iterable[Cluster]) -> bool:
    """Whether one of the buffers of some clusters may stand for another."""
    kinds = [(one.kind, one.resource) for cluster in clusters for one in cluster.origins if _is_any(one)]
    return len({*kinds}) < len(kinds)


def _is_any(origin: Origin) -> bool:
    """Whether it does not matter where a buffer was made."""
    return origin.owned and origin.symbol is None
