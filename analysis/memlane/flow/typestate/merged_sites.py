"""Following buffers without regard to where they were made, to see whether anything goes wrong at all.

Where n calls or branches in a row may each put a new buffer in place of the one before, there are n buffers that it may
be by then, and n squared states in all. How a buffer is freed depends on its resource alone: of those that were made
alike one stands for all, once control has gone on to another block. What goes wrong with none of them then goes wrong
with none; what does is looked for again, buffer by buffer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.call_outcomes import Callees
from memlane.flow.dataflow.context import Context
from memlane.flow.dataflow.events import Event, Pair, Point, Purpose
from memlane.flow.dataflow.solver import Reached
from memlane.flow.dataflow.state import Instance, State, ordered
from memlane.flow.slicing.slice import Slice
from memlane.flow.typestate.explorer import Explorer
from memlane.flow.typestate.nonterminating import note_lost
from memlane.flow.typestate.unmerge_sites import Moved, Provenance, Whence

_About = dict[Event, list[tuple[Pair, Whence]]]


class Alike(Explorer):
    """See the module. Where many buffers live at once, that one may stand for another makes no fewer states."""

    many = 8
    retraceable = False

    def __init__(self, graph: Graph, part: Slice, callees: Callees, context: Context) -> None:
        super().__init__(graph, part, callees, context=context)
        self._stand_for: dict[tuple[OriginKind, str], dict[Origin, None]] = {}
        self._known: tuple[Provenance, _About] | None = None
        self._marked: list[Instance] | None = None
        """While a step is taken again: its buffers, which are marked by their place among these."""

    def whence(self, reached: Reached[Point, State]) -> Callable[[Event], tuple[Origin, Collection[Origin]]]:
        """See `Explorer.whence`."""
        provenance, about = self._traced(reached)

        def whence(event: Event) -> tuple[Origin, Collection[Origin]]:
            first = next(one for one in about[event] if one[0] == self.log.events[event])
            return provenance.first(*first), {origin for one in about[event] for origin in provenance.origins(*one)}

        return whence

    def told_apart(self, reached: Reached[Point, State]) -> int:
        """See `Explorer.told_apart`."""
        return self._traced(reached)[0].pairs

    def _traced(self, reached: Reached[Point, State]) -> tuple[Provenance, _About]:
        """Where buffers come from, and which those are that events are about."""
        if self._known is None:
            about: _About = {}
            log = self.log
            before = log.purpose, log.taken, self.endings.copy()
            log.purpose, log.taken = Purpose.FINDINGS, {}
            log.about = lambda event, held: about.setdefault(event, []).append(self._before(held))
            self._known = Provenance(reached, self._again), about
            self._marked = None
            note_lost(log, self._graph, reached)
            log.about = None
            log.purpose, log.taken, self.endings = before
        return self._known

    def _again(self, pair: Pair) -> Iterator[tuple[Pair, list[Moved]]]:
        """The pairs that follow directly on one, each with its buffers and what these were before."""
        self.log.here = pair
        point, state = pair
        before = self._marked = ordered(state.heap)
        marked = frozenset(held._replace(tag=mark) for mark, held in enumerate(before))
        for after, then in self._step(point, state._replace(heap=marked)):
            moved = [
                (self._first(held._replace(tag=None)), before[held.tag] if isinstance(held.tag, int) else held.origin)
                for held in ordered(then.heap)  # of those that become one the first is named
            ]
            yield (after, then._replace(heap=frozenset(held for held, _ in moved))), moved

    def _before(self, held: Instance) -> tuple[Pair, Whence]:
        """The pair that is looked at, and what a buffer in the midst of its step was there."""
        pair = self.log.here
        assert pair is not None
        if isinstance(held.tag, int) and self._marked is not None:
            return pair, self._marked[held.tag]
        return pair, held.origin if self._marked is not None else held

    def arrived(self, point: Point, state: State) -> State:
        """See `Explorer.arrived`: without the origins of its buffers."""
        if self._marked is not None:
            return state
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


def may_be_alike(clusters: Iterable[Cluster]) -> bool:
    """Whether one of the buffers of some clusters may stand for another."""
    kinds = [(one.kind, one.resource) for cluster in clusters for one in cluster.origins if _is_any(one)]
    return len({*kinds}) < len(kinds)


def _is_any(origin: Origin) -> bool:
    """Whether it does not matter where a buffer was made."""
    return origin.owned and origin.symbol is None
