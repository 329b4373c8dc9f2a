"""What following the buffers of a function gave, in numbers that stay while its text is edited."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memlane.findings import Certainty
from memlane.flow.dataflow.context import Known
from memlane.flow.dataflow.events import EventKind
from memlane.flow.memo.terminator_deps import Ends, Number

NumberedTies = Mapping[int, tuple[frozenset[int], ...]]
Elsewhere = tuple[str, int, int]
"""A place of another function: its symbol, where the op is in it, the size of its name."""


class NumberedIncident(NamedTuple):
    """An incident in numbers."""

    kind: EventKind
    certainty: Certainty
    place: int
    value: Number | None
    origin: int
    cause: int | None
    inside: Elsewhere | None
    path: tuple[tuple[int, str], ...]
    unsure: bool
    made: int
    caused: int | None
    same: tuple[Number, ...]
    caller: str


class RecordedQuestion(NamedTuple):
    """What was asked about a call; `answer`: in short, see `_answer`."""

    call: int
    partition: tuple[int | None, ...]
    constants: tuple[Known, ...]
    wanted: tuple[int, ...]
    rough: bool
    answer: bytes


class MemoEntry(NamedTuple):
    """What following clusters gave; what it looked at: `ops`, the ends of blocks in the regions of `holders`, and
    `ends` of those of the function's body."""

    ops: array[int]
    holders: array[int]
    ends: Ends
    asked: tuple[RecordedQuestion, ...]
    incidents: tuple[NumberedIncident, ...]
    unsolved: tuple[int, ...]
    spent: int


@dataclass(frozen=True, slots=True, eq=False)
class MemoVersion:
    """What is known of one version of a function.

    Args:
        numbers: of its ops, in text order. `free`: the first that none has had.
        entered: how it was entered, and what else holds for all of it.
        entries: by what their clusters are made of.
        always: see `Reasked`.
        ties: of its ops (hidden_dependences.py).
    """

    numbers: Sequence[int]
    free: int
    entered: object
    entries: Mapping[bytes, MemoEntry]
    always: frozenset[int] | None
    ties: NumberedTies
