"""What goes wrong with sets of buffers, as it is noted while all paths are taken together; see all_paths.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.call_outcomes import OpPlace
from memlane.flow.dataflow.events import Event, EventKind, Goal
from memlane.flow.memory.async_free import working
from memlane.flow.path_insensitive.points_to import Holding
from memlane.syntax.tree.tree import Op, Value

if TYPE_CHECKING:
    from memlane.flow.path_insensitive.point_sets import Sets


class PossibleViolation(NamedTuple):
    """Something that may go wrong; `certain`: whenever control comes there."""

    event: Event
    certain: bool


class Findings:
    """What goes wrong with some buffers: `only` counts those, a set of bits; 0: nothing is noted."""

    def __init__(self, graph: Graph, holding: Holding) -> None:
        self.only = 0
        self.found: dict[Goal, PossibleViolation] = {}
        self._graph, self._holding = graph, holding
        self._freeing: dict[Op, tuple[int, int]] = {}
        self._freers: list[Op] = []

    def number(self, op: Op, bits: int) -> int:
        """That of an op which may free some buffers."""
        number, before = self._freeing.get(op, (len(self._freers), 0))
        if op not in self._freeing:
            self._freers.append(op)
        self._freeing[op] = number, before | bits
        return number

    def note(
        self,
        kind: EventKind,
        place: Op,
        value: Value | None,
        bad: int,
        certain: bool,
        state: Sets,
        cause: Op | None = None,
        inside: OpPlace | None = None,
        unsure: bool = False,
    ) -> None:
        """It may happen to some buffers at a place."""
        if not bad & self.only:
            return
        unsure = unsure or not bad & ~state.unsure
        if cause is None and bad & state.freed:
            cause = self._cause(place, bad & state.freed & self.only or bad & state.freed, state)
        origin = self._holding.origin(bad & self.only & ~state.unsure or bad & self.only)
        event = Event(kind, place, origin, value, cause, inside, unsure)
        goal = event.goal
        known = self.found.get(goal)
        certain = certain and not unsure and not bad & state.unsure
        if known is None or (known.event.unsure and not unsure):
            self.found[goal] = PossibleViolation(event, certain or (known is not None and known.certain))
        elif certain:
            self.found[goal] = known._replace(certain=True)

    def in_background(self, bad: int, state: Sets) -> bool:
        """Whether work in the background may have freed one of some buffers, so that a use may come before that."""
        freers = (op for op, (number, bits) in self._freeing.items() if state.frees >> number & 1 and bits & bad)
        return any(working(self._graph, op) is not None for op in freers)

    def _cause(self, place: Op, bad: int, state: Sets) -> Op | None:
        """The op that may have freed one of the buffers: the last before the place in the text, else any."""
        after: Op | None = None
        for op in reversed(self._freers):
            number, bits = self._freeing[op]
            if state.frees >> number & 1 and bits & bad:
                if op.span.start < place.span.start:
                    return op
                after = op
        return after
