"""What a statement's shape says: templates, the values that are remembered and shared by all like statements.

Offsets are into the skeleton (tokens.py); names are slots, the number of the name's mark in it. A template is a
list of events in text order: an op, a region opened or closed, a block label, the rest of an op after a region.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from memlane.syntax.tokens import Fault


class Operand(NamedTuple):
    """A use: `%a#1` is slot of `%a`, number 1; None without `#`."""

    slot: int
    number: int | None
    group: str


class Target(NamedTuple):
    """A successor: operands `first` to `last` (exclusive) of the op are passed on."""

    name: str
    start: int
    end: int
    first: int
    last: int
    case: str | None


class Definition(NamedTuple):
    """A block argument that is defined here."""

    slot: int
    type: str | None


@dataclass(frozen=True, slots=True)
class OpShape:
    """An op as far as its first region.

    Args:
        start, name_start, name_end, end: offsets; `end` of what stands before the first region.
        results: slot, number of results and types.
        defines: arguments of the region that opens next, where the op's head declares them.
    """

    name: str
    start: int
    name_start: int
    name_end: int
    end: int
    results: tuple[tuple[int, int], ...] = ()
    operands: tuple[Operand, ...] = ()
    successors: tuple[Target, ...] = ()
    keywords: tuple[str, ...] = ()
    symbol: str | None = None
    attributes: Mapping[str, str] = field(default_factory=dict[str, str])
    literal: str | None = None
    types: tuple[str, ...] = ()
    result_types: tuple[str | None, ...] = ()
    unparsed: bool = False
    bare: str = ""
    """The name as written where it has no dialect."""


@dataclass(frozen=True, slots=True)
class Open:
    """A region opens at `start`."""

    label: str
    start: int
    defines: tuple[Definition, ...]


@dataclass(frozen=True, slots=True)
class Close:
    """A region closes at `start`."""

    start: int


@dataclass(frozen=True, slots=True)
class Label:
    """A block begins."""

    name: str
    start: int
    end: int
    arguments: tuple[Definition, ...]


@dataclass(frozen=True, slots=True)
class Rest:
    """What follows a region of an op and still belongs to it. The fields are those of `OpShape`."""

    end: int
    operands: tuple[Operand, ...]
    attributes: Mapping[str, str]
    types: tuple[str, ...]
    result_types: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Alias:
    """An attribute or type alias is defined."""

    name: str
    start: int
    end: int


Event = OpShape | Open | Close | Label | Rest | Alias


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """All that a statement's skeleton says.

    Args:
        marks: offsets of the marks, in order.
        single: the op, where the statement is one op without regions and labels.
        depth: regions opened less regions closed. `lowest`: the least of it on the way, 0 or less.
    """

    events: tuple[Event, ...]
    faults: tuple[Fault, ...]
    marks: tuple[int, ...]
    single: OpShape | None
    depth: int
    lowest: int
