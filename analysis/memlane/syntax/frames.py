"""What name resolution has at hand while it walks: the open regions, their blocks and scopes, names not found yet."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import NamedTuple

from memlane.findings import Span
from memlane.syntax.holes import Places
from memlane.syntax.shape import OpShape
from memlane.syntax.statements import Statements
from memlane.syntax.tree import Problem


@dataclass(frozen=True, slots=True)
class Resolved:
    """What is known of names, with spans relative to the piece (the section, for what stands outside functions).

    Args:
        links: in text order of uses.
        symbols: what its ops define. `references`: mentions of symbols that must be defined, without `@`.
    """

    links: array[int]
    problems: tuple[Problem, ...]
    symbols: frozenset[str] = frozenset()
    references: tuple[tuple[str, Span], ...] = ()


NOTHING_RESOLVED = Resolved(array("i"), ())


class OpenBlock:
    """A block while its region is open. `current`: it is the one being read."""

    __slots__ = ("current", "frame", "number")

    def __init__(self, frame: Frame, number: int) -> None:
        self.frame = frame
        self.number = number
        self.current = True


@dataclass(slots=True, eq=False)
class Cleaned:
    """A piece that is read: what is needed to tell places in it."""

    names: list[str]
    cleaned: str
    base: int
    statements: Statements
    _last: tuple[int, Places] | None = None
    """The statement asked for last: one may be as long as a file, and is asked for at each of its operations."""

    def span(self, number: int, slot: int) -> Span:
        """Where a name of statement `number` stands."""
        start = self.places(number).slots[slot]
        return Span(start, start + len(self.names[self.statements.names[number] + slot]))

    def places(self, number: int) -> Places:
        """The places of statement `number`."""
        if self._last is None or self._last[0] != number:
            starts = self.statements.starts
            end = starts[number + 1] if number + 1 < len(starts) else len(self.cleaned)
            self._last = number, Places(self.cleaned, starts[number], end, self.base)
        return self._last[1]


class Known(NamedTuple):
    number: int
    size: int
    block: OpenBlock
    text: Cleaned
    statement: int
    slot: int

    @property
    def span(self) -> Span:
        """Where the name stands."""
        return self.text.span(self.statement, self.slot)


class Pending(NamedTuple):
    """A use whose name is not defined yet. `chain`: the block it stands in, in each open region of its scope."""

    link: int
    name: str
    number: int | None
    text: Cleaned
    statement: int
    slot: int
    chain: tuple[OpenBlock, ...]

    @property
    def span(self) -> Span:
        """Where the use stands, its number included."""
        span = self.text.span(self.statement, self.slot)
        return span if self.number is None else Span(span.start, span.end + 1 + len(str(self.number)))


@dataclass(slots=True, eq=False)
class Scope:
    """The names an isolated region sees."""

    base: int
    values: dict[str, Known] = field(default_factory=dict[str, Known])
    pending: list[Pending] = field(default_factory=list[Pending])


class Frame:
    """An open region."""

    __slots__ = ("block", "blocks", "checks", "edges", "filled", "labels", "op", "op_span", "pending", "scope", "undo")

    def __init__(self, op: OpenOp, scope: Scope) -> None:
        self.op = op
        self.scope = scope
        self.filled = False
        self.pending = len(scope.pending)
        self.block = OpenBlock(self, 0)
        self.blocks = 1
        self.labels: dict[str, tuple[OpenBlock, Cleaned, int, int]] = {}
        self.edges: list[tuple[OpenBlock, str, Cleaned, int, int]] = []
        self.checks: list[tuple[OpenBlock, OpenBlock, Pending]] = []
        self.undo: list[tuple[str, Known | None]] = []


class OpenOp(NamedTuple):
    """An op whose results are not defined yet because its regions come first. `first`: number of its first result."""

    name: str
    text: Cleaned
    number: int
    shape: OpShape | None
    first: int

    @property
    def span(self) -> Span:
        """Where its name stands."""
        places = self.text.places(self.number)
        if self.shape is None:
            return Span(places.at(0), places.at(0) + 1)
        return Span(places.at(self.shape.name_start), places.at(self.shape.name_end))
