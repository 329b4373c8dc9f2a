"""What may go wrong with a buffer on a path, and the log that an exploration keeps of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from enum import Enum
from typing import NamedTuple

from memlane.flow.alias.origin import Origin
from memlane.flow.cfg.edge import Edge
from memlane.flow.dataflow.call_outcomes import OpPlace
from memlane.flow.dataflow.state import Heap, Instance, State
from memlane.syntax.tree.tree import Block, Op, Value


class EventKind(Enum):
    """The kinds, named as the rules that report them."""

    USE_AFTER_FREE = "use-after-free"
    DOUBLE_FREE = "double-free"
    ARGUMENT_FREE = "argument-free"
    INVALID_FREE = "invalid-free"
    MISMATCHED_FREE = "mismatched-free"
    FREE_BEFORE_WAIT = "free-before-wait"
    UNINITIALIZED_READ = "uninitialized-read"
    DANGLING_STACK = "dangling-stack"
    BORROWED_RETURN = "borrowed-return"
    ALIASED_RESULTS = "aliased-results"
    LEAK = "leak"


class Event(NamedTuple):
    """Something that goes wrong on some path.

    Args:
        place: the op that does it; for a leak the op that made the buffer.
        value: the name by which `place` knows the buffer.
        cause: the op that freed the buffer before, or started what is still under way; for a leak the path's end.
        inside: the op of the callee that does it, when `place` is a call.
        unsure: it depends on an op without a model.
    """

    kind: EventKind
    place: Op
    origin: Origin
    value: Value | None = None
    cause: Op | None = None
    inside: OpPlace | None = None
    unsure: bool = False

    @property
    def shown(self) -> Hashable:
        """What is explained as one: the same with what is shown as its cause; buffers may be lost at several ends."""
        return self.goal if self.kind is EventKind.LEAK else (self.goal, self.cause)

    @property
    def goal(self) -> Goal:
        """What is graded as one: a call may give several buffers, of which each is lost by itself."""
        return Goal(self.kind, self.place, self.origin.value.name if self.kind is EventKind.LEAK else "")


class Goal(NamedTuple):
    """What is being graded: events of a kind at a place. For a leak, `place` makes the buffer, called `name`."""

    kind: EventKind
    place: Op
    name: str = ""


class Purpose(Enum):
    """What an exploration is for."""

    FINDINGS = "what goes wrong, and late deallocations"
    GRADES = "which events each step brings"
    PATHS = "the paths alone"


class Point(NamedTuple):
    """Before the op `stop` of the stops of `block`; at their number: the block's end, its last op has run."""

    block: Block
    stop: int


Pair = tuple[Point, State]


Chosen = tuple[tuple[Op, str], ...]
"""What an op does of several things, in words; it may decide more than one."""


class StepQuery:
    """What is asked of one step.

    Attributes:
        chosen: what an op does that leaves the buffers so, with these events; () where several things do.
        following: the same for the pairs that follow in their order, where the op has no regions.
    """

    def __init__(self) -> None:
        self.chosen: dict[tuple[Heap, frozenset[Hashable]], Chosen] = {}
        self.following: list[Chosen] = []

    def of(self, state: State) -> Chosen:
        """What the op does that leads to a state."""
        return self.chosen.get((state.heap, state.bad), ())


class Log:
    """What one exploration has seen.

    Attributes:
        here: the pair being expanded.
        events: each with the pair at which it was first seen.
        taken: the edge by which a pair was first reached.
        noted: how often something was noted.
        ended: the end of a path has come, with these events; None: it has not.
        about: takes each event, with the buffer to which it happens.
        told: the words recorded for steps that reports explain (path_choices.py); None: not recorded.
    """

    def __init__(self, purpose: Purpose) -> None:
        self.purpose = purpose
        self.here: Pair | None = None
        self.events: dict[Event, Pair] = {}
        self.taken: dict[Pair, Edge] = {}
        self.noted = 0
        self.ended: frozenset[Hashable] | None = None
        self.about: Callable[[Event, Instance], None] | None = None
        self.told: StepQuery | None = None
        self._hits: set[Hashable] = set()

    def clear(self) -> None:
        """Forget what has been seen: it is looked at again."""
        self.__init__(self.purpose)

    def add(
        self,
        kind: EventKind,
        place: Op,
        held: Instance,
        value: Value | None,
        inside: OpPlace | None = None,
        unsure: bool = False,
        cause: Op | None = None,
    ) -> None:
        """Note that `kind` happens to `held` at `place`, here."""
        assert self.here is not None
        self.noted += 1
        event = Event(kind, place, held.origin, value, cause or held.freed, inside, unsure or held.unsure)
        self.events.setdefault(event, self.here)
        if self.about is not None:
            self.about(event, held)
        if self.purpose is Purpose.GRADES:
            self._hits.add(event.goal if self.told is None else event.shown)

    def mark(self, state: State) -> State:
        """`state`, where events are graded with those that have happened since the last call."""
        if not self._hits:
            return state
        hits, self._hits = self._hits, set[Hashable]()
        return state._replace(bad=state.bad | hits)

    def choose(self, before: State, after: State, op: Op, words: str) -> None:
        """Note in words which of several things `op` does that leads from one state to another."""
        if self.told is not None:
            chosen = (*self.told.of(before), (op, words))
            if self.told.chosen.setdefault((after.heap, after.bad), chosen) != chosen:
                self.told.chosen[after.heap, after.bad] = ()

    def made(self, state: State, names: Iterable[Value]) -> State:
        """`state`, where events are graded with a note that buffers have been made, by the names of their origins."""
        return state._replace(made=state.made.union(names)) if self.purpose is Purpose.GRADES else state

    def given(self, state: State, op: Op) -> State:
        """The same behind a call that might have thrown: what it makes is there once it has not."""
        return self.made(state, (one.origin.value for one in state.heap if one.origin.value.op is op))
