"""The state of name resolution during its walk: the open regions, their blocks and scopes, names not found yet."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from memlane.findings import Span
from memlane.syntax.lines.statements import Leaf
from memlane.syntax.problems import Problem
from memlane.syntax.shapes.holes import NAME, Places, clean
from memlane.syntax.shapes.shape import Label, Open, OpShape


@dataclass(frozen=True, slots=True)
class Resolved:
    """What is known of names, with spans relative to the piece (the section, for what stands outside functions).

    Args:
        problems: the first of each rule, in text order. `others`: how many more there are (problems.py).
        symbols: what its ops define. `references`: mentions of symbols that must be defined, without `@`.
        suggested: for so many mistakes something similar was looked for, or would have been (suggest.py).
    """

    problems: tuple[Problem, ...]
    symbols: frozenset[str] = frozenset()
    references: tuple[tuple[str, Span], ...] = ()
    others: Mapping[str, int] = field(default_factory=dict[str, int])
    suggested: int = 0


NOTHING_RESOLVED = Resolved(())


class OpenBlock:
    """A block while its region is open.

    Args:
        order: its number among all blocks. `frame`: the number of its region. `number`: its own there.

    `current`: it is the one being read.
    """

    __slots__ = ("current", "frame", "number", "order")

    def __init__(self, order: int, frame: int, number: int) -> None:
        self.order = order
        self.frame = frame
        self.number = number
        self.current = True


@dataclass(slots=True, eq=False)
class Met:
    """A leaf that is read: what is needed to tell places in it. A statement may be as long as a file.

    Args:
        base: where it starts. `first`: number of its first definition.
    """

    leaf: Leaf
    base: int
    first: int
    _last: tuple[int, Places] | None = None
    """The statement asked about last: each of its operations asks."""
    _spoken: str | None = None
    """The text, after the first problem."""
    _defined: list[tuple[int, int, int]] | None = None
    """Number of the definition, statement and slot of each name that is defined, after the first request."""

    @property
    def cleaned(self) -> str:
        """Its text. Made at each call: kept, it would be a second copy of all that is read."""
        return clean(self.leaf.text)

    def span(self, number: int, slot: int) -> Span:
        """Where a name of statement `number` stands."""
        cleaned = self._spoken = self._spoken or self.cleaned
        start = self.places(number, cleaned).slots[slot]
        match = NAME.match(cleaned, start - self.base)
        return Span(start, match.end() + self.base if match else start + 1)

    def symbol(self, span: Span) -> tuple[str, Span]:
        """The symbol that stands there, without `@` and quotes, and where it does then."""
        written = self.cleaned[span.start - self.base : span.end - self.base]
        name = written.lstrip("@").strip('"')
        first = span.start + written.find(name)
        return name, Span(first, first + max(1, len(name)))

    def places(self, number: int, cleaned: str | None = None) -> Places:
        """The places of statement `number`."""
        if self._last is None or self._last[0] != number:
            cleaned = self.cleaned if cleaned is None else cleaned
            starts = self.leaf.statements.starts
            end = starts[number + 1] if number + 1 < len(starts) else len(cleaned)
            self._last = number, Places(cleaned, starts[number], end, self.base)
        return self._last[1]

    def defined(self, wanted: int) -> Span:
        """Where the name of definition number `wanted` of the piece stands, which is in this leaf."""
        if self._defined is None:
            self._defined = list(self._definitions())
        _, number, slot = self._defined[bisect_right(self._defined, wanted, key=lambda one: one[0]) - 1]
        return self.span(number, slot)

    def _definitions(self) -> Iterator[tuple[int, int, int]]:
        count = self.first
        for number, template in enumerate(self.leaf.statements.templates):
            for event in template.events:
                if isinstance(event, OpShape):
                    for slot, size in event.results:
                        yield count, number, slot
                        count += size
                elif isinstance(event, (Open, Label)):
                    for argument in event.defines if isinstance(event, Open) else event.arguments:
                        yield count, number, argument.slot
                        count += 1


def defined_at(texts: Sequence[Met], wanted: int) -> Span:
    """Where the name of definition number `wanted` stands."""
    return texts[bisect_right(texts, wanted, key=lambda one: one.first) - 1].defined(wanted)


class Pending(NamedTuple):
    """A use whose name is not defined yet: entry `entry` of `links`.

    `chain`: the block it stands in, in each open region of its scope.
    """

    links: array[int]
    entry: int
    name: str
    number: int | None
    text: Met
    statement: int
    slot: int
    chain: tuple[OpenBlock, ...]

    @property
    def span(self) -> Span:
        """Where the use stands, its number included."""
        span = self.text.span(self.statement, self.slot)
        return span if self.number is None else Span(span.start, span.end + 1 + len(str(self.number)))


@dataclass(slots=True, eq=False)
class NameScope:
    """The names an isolated region sees, each with the number of its definition."""

    base: int
    values: dict[str, int] = field(default_factory=dict[str, int])
    pending: list[Pending] = field(default_factory=list[Pending])


class Frame:
    """An open region.

    Args:
        block: its first block, which tells its number.
        outermost: the scope is its own, and ends with it.
        lacking: its brace is not there yet.

    `names`: defined in it, in order, and not kept where it is outermost. `hidden`: what such a name meant outside,
    where it meant something.
    """

    __slots__ = (
        *("block", "blocks", "checks", "edges", "filled", "hidden", "labels", "names", "number", "op"),
        *("lacking", "pending", "scope"),
    )

    def __init__(self, block: OpenBlock, op: OpenOp, scope: NameScope, outermost: bool, lacking: bool = False) -> None:
        self.number = block.frame
        self.op = op
        self.scope = scope
        self.filled = False
        self.pending = len(scope.pending)
        self.block = block
        self.blocks = 1
        self.labels: dict[str, tuple[OpenBlock, Met, int, int]] = {}
        self.edges: list[tuple[OpenBlock, str, Met, int, int]] = []
        self.checks: list[tuple[OpenBlock, OpenBlock, Pending]] = []
        self.names: deque[str] = deque(maxlen=0 if outermost else None)
        self.hidden: list[tuple[str, int]] = []
        self.lacking = lacking

    def guessed(self) -> Iterator[str]:
        """Names that its op's head may declare when it is written to the end."""
        return (use.name for use in self.scope.pending[self.pending :]) if self.lacking else iter(())


class OpenOp(NamedTuple):
    """An op whose results are not defined yet because its regions come first.

    `results`: name, slot and number of each; `first`: number of the first. `shared`: name and number of what was
    declared before its first region and its others see as well. `clause`: its name may be a word before another region
    of an op with unknown syntax.
    """

    name: str
    text: Met
    number: int
    shape: OpShape | None
    results: tuple[tuple[str, int, int], ...]
    first: int
    shared: tuple[tuple[str, int], ...] = ()
    clause: bool = False

    @property
    def generic(self) -> bool:
        """Whether it is in generic form."""
        return self.shape is not None and self.shape.generic

    @property
    def span(self) -> Span:
        """Where its name stands."""
        places = self.text.places(self.number)
        if self.shape is None:
            return Span(places.at(0), places.at(0) + 1)
        return Span(places.at(self.shape.name_start), places.at(self.shape.name_end))


def share(frame: Frame, op: OpenOp, homes: array[int]) -> None:
    """Have the region `frame` of `op` that was just opened see what its first region declared, or be that.

    Args:
        homes: for each definition the number of its block, which is changed: it is in the current region now.
    """
    values = frame.scope.values
    if not op.shared:
        frame.op = op._replace(shared=tuple([(name, values[name]) for name in frame.names]))
        return
    for name, known in op.shared:
        if name not in values:
            values[name] = known
            homes[known] = frame.block.order
            frame.names.append(name)
