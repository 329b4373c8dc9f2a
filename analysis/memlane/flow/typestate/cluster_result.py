"""What following the buffers of some clusters gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from memlane.findings import Certainty
from memlane.flow.alias.origin import Origin
from memlane.flow.dataflow.call_outcomes import OpPlace, Outcome
from memlane.flow.dataflow.context import Known
from memlane.flow.dataflow.events import EventKind
from memlane.flow.slicing.slice import Slice
from memlane.flow.typestate.bug_path import PathStep
from memlane.syntax.tree.tree import Op, Value


class Unsettled(Enum):
    """The fact about a buffer that is never freed which the text does not determine."""

    OWNER = "whose it is"
    OTHER_NAME = "whether it is what a function gives that it is passed to"
    BACKGROUND = "when the work on it is done"
    UNDESCRIBED = "whether something that is not described frees it"


class Repeated(NamedTuple):
    """How often a leak in loops happens.

    Args:
        times: the iterations of all loops around it together; None: not known.
        each: it does in each; else in each at most.
    """

    times: int | None
    each: bool


@dataclass(frozen=True, eq=False)
class Incident:
    """Something that goes wrong, graded. What rules report of it is remembered by it, weakly: so it is equal to itself
    alone, and has no slots.

    Args:
        place: the op that does it; for a leak the op that made the buffer.
        value: the name by which `place` knows the buffer, if it does.
        origin: where the buffer came from (on the path shown).
        cause: the op that freed the buffer before; for a leak the end of the path.
        inside: the op of the callee that does it, when `place` is a call.
        path: the choices on the way.
        made, caused: so many of these are made until the buffer is, and until `cause` has happened, if it has before
            `place`; see `Explanation`.
        repeated: of a leak in loops how often it happens; None: it is not in a loop, or not known to be.
        same: the arguments that are one buffer, by what `caller` passes, where it is one of these.
        unsure: it depends on an op without a model.
        unsettled: the fact it depends on that the text does not determine; see extern_ownership.py.
        doubt: the name of an op with regions that no description explains, in or out of which the buffer goes, or "".
    """

    kind: EventKind
    certainty: Certainty
    place: Op
    value: Value | None
    origin: Origin
    cause: Op | None
    inside: OpPlace | None
    path: tuple[PathStep, ...]
    unsure: bool
    unsettled: Unsettled | None = None
    doubt: str = ""
    made: int = 0
    caused: int | None = None
    same: tuple[Value, ...] = ()
    caller: str = ""
    repeated: Repeated | None = None

    def ops(self) -> Iterator[Op]:
        """The ops that it names."""
        yield self.place
        if self.cause is not None:
            yield self.cause
        for step in self.path:
            yield step.op


class AskedQuestion(NamedTuple):
    """A question that was asked about a call; `constants`: the numbers among what is passed; `rough`: what it may do at
    most, for more is too much to tell."""

    call: Op
    partition: tuple[int | None, ...]
    constants: tuple[Known, ...]
    wanted: tuple[int, ...]
    rough: bool = False


class ClusterResult(NamedTuple):
    """What following some clusters together gave.

    Args:
        unsolved: allocations whose paths are too many for the budget.
        asked: what was asked about calls, with the answer; None: too many ways.
        parts: what was followed, and what was looked at for that.
        spent: the steps that took, with those of grading.
        hindered: the budget of the function ended it.
    """

    incidents: tuple[Incident, ...]
    unsolved: tuple[Origin, ...]
    asked: Iterable[tuple[AskedQuestion, tuple[Outcome, ...] | None]]
    parts: tuple[Slice, ...] = ()
    spent: int = 0
    hindered: bool = False
