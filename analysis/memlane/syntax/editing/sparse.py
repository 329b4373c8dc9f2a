"""Some ops of a function, built without the others: for who asks about one name in a long function.

An op comes with those around it, and one with regions comes with the last op of each of its blocks, their labels and
arguments: where control goes is told by those. So what is left out are ops that stand between others, with all that is
in them. Names whose definition is left out stand for nothing.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain
from typing import NamedTuple

from memlane.syntax.editing.piece import Piece, Sort
from memlane.syntax.lines.statements import NO_POPS, Leaf, Statements
from memlane.syntax.shapes.holes import NAME, clean
from memlane.syntax.shapes.shape import Close, Definition, Event, Label, Open, OpShape, Rest, Template
from memlane.syntax.tree.aliases import Aliases
from memlane.syntax.tree.build import Builder
from memlane.syntax.tree.tree import Block, Op, Value

_NUMBERED = re.compile(f"(?:{NAME.pattern})(?:#\\d+)?", NAME.flags)
"""A name, and which one of its values."""
_SHORT = 3
"""Leaves of a function of which some, with what is around them, are most of it."""


def readable(piece: Piece) -> bool:
    """Whether it is known of a function which of its statements stand in which."""
    return not (piece.damaged or piece.odd or piece.resolved.problems)


def nested(piece: Piece) -> bool:
    """Whether its braces tell which of the statements of a function stand in which, whatever else is wrong with it."""
    return not (piece.damaged or piece.odd or any(leaf.statements.pops for leaf in piece.leaves))


def is_long(piece: Piece) -> bool:
    """Whether some of a function's operations can be built for much less than all: it has more than a few leaves."""
    return piece.sort == Sort.FUNCTION and len(piece.leaves) > _SHORT and nested(piece)


class Outline:
    """How the statements of a function belong together, and what they define and use. Of one that is `nested`.

    Statements are numbered through the function.

    Args:
        at: where its piece stands in the document.
    """

    __slots__ = (
        *("_around", "_at", "_defined", "_firsts", "_links", "_starts", "_templates", "_together", "_used"),
        "piece",
    )

    def __init__(self, piece: Piece, at: int) -> None:
        self.piece = piece
        self._at = at
        self._templates = list(chain.from_iterable(leaf.statements.templates for leaf in piece.leaves))
        self._firsts = [0, *accumulate([len(leaf.statements.templates) for leaf in piece.leaves])]
        self._starts = array("i", _starts(piece.leaves))
        self._links = array("i", chain.from_iterable(leaf.links for leaf in piece.leaves))
        self._used = [0, *accumulate([template.uses for template in self._templates])]
        self._defined = [0, *accumulate(map(_defines, self._templates))]
        self._around: list[int] = []
        self._together: dict[int, list[int]] = {}
        self._nest()

    def statement(self, offset: int) -> int:
        """The statement that an offset, counted from the start of the piece, is in."""
        return max(0, bisect_right(self._starts, offset) - 1)

    def of_leaf(self, number: int) -> range:
        """The statements of a leaf of the function."""
        return range(self._firsts[number], self._firsts[number + 1])

    def definitions(self, statements: range) -> int:
        """How many values some statements in a row define."""
        return self._defined[statements.stop] - self._defined[statements.start]

    def heads(self, number: int) -> tuple[Template, ...]:
        """The statements around one, the innermost first."""
        found: list[Template] = []
        while (number := self._around[number]) >= 0:
            found.append(self._templates[number])
        return tuple(found)

    def visible(self, offset: int) -> list[int]:
        """The statements before an offset of the document that stand in a region which is open there."""
        here = self.statement(offset - self._at)
        open_ = {-1, here}
        while (number := self._around[here]) >= 0:
            open_.add(number)
            here = number
        before = self.statement(offset - self._at) + 1
        return [number for number in range(before) if self._around[number] in open_]

    def beginning(self, statements: Iterable[int]) -> list[tuple[int, int]]:
        """Of those that begin with an op where that begins, and where the next statement does; both are counted from
        the start of the piece."""
        some = [number for number in statements if isinstance(self._first(number), OpShape)]
        return [(self._starts[number], self._end(number)) for number in some]

    def _end(self, number: int) -> int:
        """Where the next statement begins."""
        return self._starts[number + 1] if number + 1 < len(self._starts) else self.piece.size

    def _first(self, number: int) -> Event | None:
        events = self._templates[number].events
        return events[0] if events else None

    def naming(self, offset: int, pack: bool = False) -> set[int]:
        """The statement at an offset of the document, and those that define or use what is named there.

        Args:
            pack: or any value that shares the name (`%0:2`).
        """
        offset -= self._at
        number = self.statement(offset)
        found = {number}
        named = {link for one in self._named(number, offset) for link in (self._pack(one) if pack else (one,))}
        for definition in named:
            found.add(bisect_right(self._defined, definition) - 1)
            found.update(bisect_right(self._used, at) - 1 for at in self._uses(definition))
        return found

    def _uses(self, definition: int) -> Iterator[int]:
        """The uses that mean a definition; looked for as bytes, as numbers are made of none then."""
        size, links = self._links.itemsize, self._links.tobytes()
        wanted = array("i", (definition,)).tobytes()
        at = links.find(wanted)
        while at >= 0:
            if at % size == 0:
                yield at // size
            at = links.find(wanted, at + 1)

    def whole(self, statements: Iterable[int]) -> bytearray:
        """Of each statement whether it is needed to build some, and what defines that they use."""
        found = bytearray(len(self._templates))
        self._need(found, statements)
        used, links = self._used, self._links
        named: set[int] = set()
        number = found.find(1)
        while number >= 0:
            named.update(links[used[number] : used[number + 1]])
            number = found.find(1, number + 1)
        named.discard(-1)
        self._need(found, [bisect_right(self._defined, link) - 1 for link in named])
        return found

    def build(self, parent: Block | None, index: int, dialect: str, aliases: Aliases, wanted: bytearray) -> Op:
        """The function with the statements that are `wanted`, as `whole` gives them; the others: see `Builder`."""
        builder = _Builder(parent, index, dialect, aliases)
        first, at = 0, self._at
        for leaf in self.piece.leaves:
            count = len(leaf.statements.templates)
            if wanted.find(1, first, first + count) < 0:
                builder.skip(self._defined[first + count] - self._defined[first])
            else:
                self._leaf(builder, leaf, at, first, wanted)
            first += count
            at += leaf.end - leaf.start
        return builder.complete()

    def _leaf(self, builder: _Builder, leaf: Leaf, at: int, first: int, wanted: bytearray) -> None:
        those = leaf.statements
        templates, starts, names = those.templates, those.starts, those.names
        text, count, before = leaf.text, len(templates), self._used[first]
        number = 0
        while number < count:
            stop = wanted.find(1 - wanted[first + number], first + number, first + count)
            stop = count if stop < 0 else stop - first
            if wanted[first + number]:
                start = starts[number]
                end = starts[stop] if stop < count else len(text)
                some = Statements(
                    templates[number:stop],
                    array("i", [one - start for one in starts[number:stop]]),
                    array("i", [one - names[number] for one in names[number:stop]]),
                    NO_POPS,
                )
                used = self._used[first + number] - before, self._used[first + stop] - before
                builder.run(some, text[start:end], at + start, leaf.links[used[0] : used[1]])
            else:
                builder.skip(self._defined[first + stop] - self._defined[first + number])
            number = stop

    def _need(self, found: bytearray, statements: Iterable[int]) -> None:
        pending = list(statements)
        while pending:
            number = pending.pop()
            if number >= 0 and not found[number]:
                found[number] = 1
                pending.append(self._around[number])
                pending += self._together.get(number, ())

    def _named(self, number: int, offset: int) -> Iterator[int]:
        """The definitions that a name means which an offset in a statement touches."""
        start = self._starts[number]
        place = bisect_right(self._firsts, number) - 1
        leaf = self.piece.leaves[place]
        first = leaf.start + leaf.statements.starts[number - self._firsts[place]]
        text = clean(leaf.source[first : first + self._end(number) - start])
        names = enumerate(_NUMBERED.finditer(text))
        touched = {slot for slot, one in names if one.start() <= offset - start <= one.end()}
        used, defined = self._used[number], self._defined[number]
        for event in self._templates[number].events:
            if isinstance(event, (OpShape, Rest)):
                for operand in event.operands:
                    if operand[0] in touched and self._links[used] >= 0:
                        yield self._links[used]
                    used += 1
            for there, size in _definitions(event):
                if there in touched:
                    yield from range(defined, defined + size)
                defined += size

    def _pack(self, definition: int) -> range:
        """The definitions that have one name with one of them (`%0:2`)."""
        number = bisect_right(self._defined, definition) - 1
        first = self._defined[number]
        for event in self._templates[number].events:
            for _, size in _definitions(event):
                if definition < first + size:
                    return range(first, first + size)
                first += size
        return range(definition, definition + 1)

    def _nest(self) -> None:
        """Find out what is around each statement, and which come together."""
        around, together = self._around, self._together
        open_: list[int] = []
        """The statements in which ops begin of which a region is open."""
        last: list[int] = [-1]
        """The last op so far of each block that is open."""

        def belongs(other: int, number: int) -> None:
            if other >= 0 and other != number:
                together.setdefault(other, []).append(number)

        for number, template in enumerate(self._templates):
            around.append(open_[-1] if open_ else -1)
            if template.single is not None:
                last[-1] = number
                continue
            for event in template.events:
                if isinstance(event, OpShape):
                    last[-1] = number
                elif isinstance(event, Open):
                    open_.append(last[-1] if last[-1] >= 0 else number)
                    belongs(open_[-1], number)
                    last.append(-1)
                elif isinstance(event, Close) and open_:
                    belongs(open_[-1], last.pop())
                    belongs(open_.pop(), number)
                elif isinstance(event, Label) and open_:
                    belongs(open_[-1], last[-1])
                    belongs(open_[-1], number)
                    last[-1] = -1
                elif isinstance(event, Rest):
                    belongs(last[-1], number)
                    belongs(number, last[-1])


class Part(NamedTuple):
    """Some statements of a function: those that are `wanted`, as `whole` of its `outline` gives them."""

    outline: Outline
    wanted: bytearray


class _Builder(Builder):
    """Builds some statements of a function, and knows how many definitions are left out."""

    def __init__(self, parent: Block | None, index: int, dialect: str, aliases: Aliases) -> None:
        super().__init__(parent, index, dialect, aliases)
        self._left_out = Value("", 0, 0, None, 0)

    def skip(self, definitions: int) -> None:
        """Leave out statements with so many definitions."""
        self.values += [self._left_out] * definitions
        self.op = None

    def complete(self) -> Op:
        """The function."""
        op = self.finish()[0]
        for use in self._left_out.uses:
            use.value = None
        return op


def _starts(leaves: Sequence[Leaf]) -> Iterator[int]:
    at = 0
    for leaf in leaves:
        for start in leaf.statements.starts:
            yield at + start
        at += leaf.end - leaf.start


def _defines(template: Template) -> int:
    """How many values a statement defines."""
    if template.single is not None:
        return sum([size for _, size in template.single.results])
    return sum(size for event in template.events for _, size in _definitions(event))


def _definitions(event: Event) -> Iterable[tuple[int, int]]:
    """What an event defines: the slot of the name, and how many values that stands for."""
    if isinstance(event, OpShape):
        return event.results
    arguments: tuple[Definition, ...] = ()
    if isinstance(event, Open):
        arguments = event.defines
    elif isinstance(event, Label):
        arguments = event.arguments
    return [(one.slot, 1) for one in arguments]
