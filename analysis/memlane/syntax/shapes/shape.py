"""What a statement's shape says: templates, the values that are remembered and shared by all like statements.

A shape is a statement with its SSA names, numbers, strings, symbols and the insides of its types taken out
(holes.py). Offsets count in that text; `Cut`s become text of the document when an op is built. Names are slots: the
number of the name among the statement's names. A template lists events in text order: an op, a region opened or
closed, a block label, the rest of an op after a region.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from memlane.syntax.shapes import forms
from memlane.syntax.shapes.tokens import Fault


class Cut(NamedTuple):
    """A part of the statement's text: `start` inclusive, `end` exclusive. `element`: its element type is meant."""

    start: int
    end: int
    element: bool = False


TypeText = Cut | str | None
"""Where a type stands in the text, or the type itself where the text does not say it."""


class Operand(NamedTuple):
    """A use: `%a#1` is slot of `%a`, number 1; None without `#`."""

    slot: int
    number: int | None
    group: str


class Target(NamedTuple):
    """A successor: operands `first` to `last` (exclusive) of the op are passed on."""

    slot: int
    first: int
    last: int
    case: Cut | None


class Definition(NamedTuple):
    """A block argument that is defined here."""

    slot: int
    type: TypeText


@dataclass(frozen=True, slots=True)
class OpShape:
    """An op as far as its first region.

    Args:
        start, name_start, name_end, end: offsets; `end` of what stands before the first region.
        results: slot and number of results.
        bare: the name as written where it has no dialect.
        generic: the name is in quotes.
        unknown: a name without a dialect that no version of MLIR knows.
        refers: where it names a symbol that must exist.
        declares: arguments it declares although no region follows: of a function without a body, or half typed.
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
    symbol: Cut | None = None
    attributes: Mapping[str, Cut | None] = field(default_factory=dict[str, "Cut | None"])
    literal: Cut | None = None
    types: tuple[Cut, ...] = ()
    result_types: tuple[TypeText, ...] = ()
    unparsed: bool = False
    bare: str = ""
    generic: bool = False
    unknown: bool = False
    refers: Cut | None = None
    declares: tuple[Definition, ...] = ()

    @property
    def ends(self) -> bool:
        """Whether the op is the last of its block."""
        return bool(self.successors) or self.name in forms.ENDING


@dataclass(frozen=True, slots=True)
class Open:
    """A region opens at `start`; `defines`: its arguments that the op's head declares.

    `lacking`: its brace is not there yet, and the head may declare others when it is.
    """

    label: Cut | None
    start: int
    defines: tuple[Definition, ...]
    lacking: bool = False

    def goes_on(self, op: str, generic: bool) -> bool:
        """Whether it may be another region of an op of this name that has one, in generic form or in its own."""
        return generic or self.label is not None or self.lacking or op not in forms.WORDED


@dataclass(frozen=True, slots=True)
class Close:
    """A region closes at `start`."""

    start: int


@dataclass(frozen=True, slots=True)
class Label:
    """A block begins; `end` is after its colon."""

    slot: int
    end: int
    arguments: tuple[Definition, ...]


@dataclass(frozen=True, slots=True)
class Rest:
    """What follows a region of an op and still belongs to it. The fields are those of `OpShape`."""

    start: int
    end: int
    operands: tuple[Operand, ...]
    attributes: Mapping[str, Cut | None]
    types: tuple[Cut, ...]
    result_types: tuple[TypeText, ...]


@dataclass(frozen=True, slots=True)
class Alias:
    """An attribute or type alias is defined."""

    start: int
    end: int


Event = OpShape | Open | Close | Label | Rest | Alias


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """All that a statement's shape says.

    Args:
        single: the op, where the statement is one op without regions, labels and faults.
        depth: regions opened less regions closed. `lowest`: the least of it on the way, 0 or less.
        uses: how many names it uses as operands. `defines`: how many values it defines.
    """

    events: tuple[Event, ...]
    faults: tuple[Fault, ...]
    single: OpShape | None
    depth: int
    lowest: int
    uses: int
    defines: int


def template_of(events: Sequence[Event], faults: tuple[Fault, ...]) -> Template:
    """The template that says `events`."""
    first = events[0] if len(events) == 1 else None
    single = first if isinstance(first, OpShape) and not faults else None
    if single is not None and (single.unknown or single.symbol is not None or (single.generic and single.attributes)):
        single = None
    depth = lowest = uses = defines = 0
    for event in events:
        defines += definitions_of(event)
        if isinstance(event, (OpShape, Rest)):
            uses += len(event.operands)
        elif isinstance(event, Open):
            depth += 1
        elif isinstance(event, Close):
            depth -= 1
            lowest = min(lowest, depth)
    return Template(tuple(events), faults, single, depth, lowest, uses, defines)


def defined_in(event: Event) -> Iterator[tuple[int, int]]:
    """The slots of the names that an event defines, in text order, each with how many values it stands for."""
    if isinstance(event, OpShape):
        yield from event.results
    elif isinstance(event, (Open, Label)):
        for one in event.defines if isinstance(event, Open) else event.arguments:
            yield one.slot, 1


def definitions_of(event: Event) -> int:
    """How many values an event defines."""
    return sum([size for _, size in defined_in(event)])
