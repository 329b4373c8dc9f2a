"""Some ops of a function, built without the others: for requests about one name in a long function.

An op comes with those around it, and one with regions comes with the last op of each of its blocks, their labels and
arguments: these decide the control flow. So the ops left out are in the middle of blocks, with all that is in them.
Names whose definition is left out stand for nothing.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from memlane.lazy import regex
from memlane.syntax.editing.limits import MIN_LEAVES
from memlane.syntax.editing.nesting import Nesting, sketch
from memlane.syntax.editing.piece import Piece, Sort
from memlane.syntax.lines.statements import NO_OPERAND, NO_POPS, Leaf, Statements
from memlane.syntax.shapes.holes import NAME, clean
from memlane.syntax.shapes.shape import Close, Event, Label, Open, OpShape, Rest, Template, defined_in
from memlane.syntax.tree.aliases import Aliases
from memlane.syntax.tree.build import Builder
from memlane.syntax.tree.tree import Block, Op, Value

_NUMBERED = regex(f"(?:{NAME.pattern})(?:#\\d+)?", NAME.flags)
"""A name, and which one of its values."""


def readable(piece: Piece) -> bool:
    """Whether it is known of a function which of its statements stand in which."""
    return not (piece.damaged or piece.odd or piece.resolved.problems)


def nested(piece: Piece) -> bool:
    """Whether its braces tell which of the statements of a function stand in which, whatever else is wrong with it."""
    return not (piece.damaged or piece.odd or any(leaf.statements.pops for leaf in piece.leaves))


def is_long(piece: Piece) -> bool:
    """Whether some of a function's operations can be built for much less than all: it has more than a few leaves."""
    return piece.sort == Sort.FUNCTION and len(piece.leaves) > MIN_LEAVES and nested(piece)


class Outline:
    """How the statements of a function belong together, and what they define and use. Of one that is `nested`.

    Statements are numbered through the function.

    Args:
        at: where its piece stands in the document.
    """

    __slots__ = ("_at", "_defined", "_firsts", "_nesting", "_starts", "piece")

    def __init__(self, piece: Piece, at: int) -> None:
        self.piece = piece
        self._at = at
        leaves = piece.leaves
        self._firsts = [0, *accumulate([len(leaf.statements.templates) for leaf in leaves])]
        """How many statements, and so on, come before each leaf, and all."""
        self._starts = [0, *accumulate([leaf.end - leaf.start for leaf in leaves])]
        self._defined = [0, *accumulate([sketch(leaf.statements).defined[-1] for leaf in leaves])]
        self._nesting = Nesting(leaves)

    def statement(self, offset: int) -> int:
        """The statement that an offset, counted from the start of the piece, is in."""
        place = min(bisect_right(self._starts, offset), len(self.piece.leaves)) - 1
        here = bisect_right(self.piece.leaves[place].statements.starts, offset - self._starts[place])
        return max(0, self._firsts[place] + here - 1)

    def of_leaf(self, number: int) -> range:
        """The statements of a leaf of the function."""
        return range(self._firsts[number], self._firsts[number + 1])

    def definitions(self, number: int) -> int:
        """How many values a leaf of the function defines."""
        return self._defined[number + 1] - self._defined[number]

    def heads(self, number: int) -> tuple[Template, ...]:
        """The statements around one, the innermost first."""
        return tuple([self._template(one) for one in self._nesting.all_around(number)])

    def visible(self, offset: int) -> list[int]:
        """The statements before an offset of the document that stand in a region which is open there."""
        here = self.statement(offset - self._at)
        open_ = {-1, here, *self._nesting.all_around(here)}
        return [number for number, around in enumerate(self._nesting.first(here + 1)) if around in open_]

    def beginning(self, statements: Iterable[int]) -> list[tuple[int, int]]:
        """Of those that begin with an op where that begins, and where the next statement does; both are counted from
        the start of the piece."""
        some = [number for number in statements if isinstance(self._first(number), OpShape)]
        return [(self._start(number), self._end(number)) for number in some]

    def _place(self, number: int) -> tuple[int, int]:
        """The leaf that a statement is in, and its number there."""
        place = bisect_right(self._firsts, number) - 1
        return place, number - self._firsts[place]

    def _template(self, number: int) -> Template:
        place, own = self._place(number)
        return self.piece.leaves[place].statements.templates[own]

    def _start(self, number: int) -> int:
        """Where a statement begins."""
        place, own = self._place(number)
        return self._starts[place] + self.piece.leaves[place].statements.starts[own]

    def _end(self, number: int) -> int:
        """Where the next statement begins."""
        return self._start(number + 1) if number + 1 < self._firsts[-1] else self.piece.size

    def _first(self, number: int) -> Event | None:
        events = self._template(number).events
        return events[0] if events else None

    def at(self, offset: int) -> int:
        """The statement that an offset of the document is in."""
        return self.statement(offset - self._at)

    def named(self, offset: int, pack: bool = False) -> set[int]:
        """The definitions, by their numbers, of what is named at an offset of the document.

        Args:
            pack: or of any value that shares the name (`%0:2`).
        """
        offset -= self._at
        named = self._named(self.statement(offset), offset)
        return {link for one in named for link in (self._pack(one) if pack else (one,))}

    def defining(self, definition: int) -> int:
        """The statement that a definition is in."""
        place = bisect_right(self._defined, definition) - 1
        defined = sketch(self.piece.leaves[place].statements).defined
        return self._firsts[place] + bisect_right(defined, definition - self._defined[place]) - 1

    def uses(self, definition: int) -> Iterator[int]:
        """The statement of each use that means a definition. Looked for as bytes, as no numbers are made then, and in
        the region that the definition is in: it is not visible elsewhere."""
        around = self._nesting.around(self.defining(definition))
        end = max(self._nesting.together.get(around, ()), default=self._firsts[-1] - 1)
        wanted = array("i", (definition,)).tobytes()
        for place in range(self._place(max(around, 0))[0], self._place(end)[0] + 1):
            leaf = self.piece.leaves[place]
            size, links = leaf.links.itemsize, leaf.links.tobytes()
            at = links.find(wanted)
            while at >= 0:
                if at % size == 0:
                    yield self._firsts[place] + bisect_right(sketch(leaf.statements).used, at // size) - 1
                at = links.find(wanted, at + 1)

    def following(self, number: int, statements: Iterable[int], count: int) -> Iterator[int]:
        """Of some statements those behind one: as many as are not in another branch than that, until there are so many
        of them, with the others between."""
        inside = {number, *self._nesting.all_around(number)}
        borders: dict[int, list[int]] = {}
        for one in sorted(one for one in statements if one >= number):
            if not count:
                return
            yield one
            both = next(around for around in (one, *self._nesting.all_around(one)) if around in inside)
            if both not in borders:
                borders[both] = [at for at in self._nesting.together.get(both, ()) if at > number and self._turns(at)]
            count -= one > number and not any(at < one for at in borders[both])

    def heading(self, number: int) -> set[int]:
        """The statements in which the ops begin that a statement is text of: that around a label has its arguments."""
        labels = any(isinstance(event, Label) for event in self._template(number).events)
        return {number, max(0, self._nesting.around(number))} if labels else {number}

    def is_plain(self, number: int) -> bool:
        """Whether a statement is one op without regions."""
        return self._template(number).single is not None

    def _turns(self, number: int) -> bool:
        """Whether a region begins or ends in a statement."""
        return any(isinstance(event, (Open, Close)) for event in self._template(number).events)

    def behind(self, statements: Iterable[int], most: int) -> set[int]:
        """Some statements, what defines what they use, what defines what that uses, and so on: so many of these."""
        found = list(dict.fromkeys(statements))
        seen = set(found)
        most += len(found)
        for number in found:
            defining = {self.defining(link) for link in self._used_by(number)} - seen if len(found) < most else ()
            found += defining
            seen.update(defining)
        return seen

    def _used_by(self, number: int) -> set[int]:
        """The definitions that a statement uses."""
        place, own = self._place(number)
        leaf = self.piece.leaves[place]
        used = sketch(leaf.statements).used
        return set(leaf.links[used[own] : used[own + 1]]) - {-1, NO_OPERAND}

    def whole(self, statements: Iterable[int], explained: Iterable[int] | None = None) -> bytearray:
        """Of each statement whether it is needed to build some, and what defines that those use.

        Args:
            explained: those that are enough to know what defines that they use; None: all that are built.
        """
        found = bytearray(self._firsts[-1])
        self._need(found, statements)
        named: set[int] = set()
        for number in _set(found) if explained is None else explained:
            named |= self._used_by(number)
        self._need(found, map(self.defining, named))
        return found

    def build(self, parent: Block | None, index: int, dialect: str, aliases: Aliases, wanted: bytearray) -> Op:
        """The function with the statements that are `wanted`, as `whole` gives them; the others: see `Builder`."""
        builder = _Builder(parent, index, dialect, aliases)
        first, at = 0, self._at
        for leaf in self.piece.leaves:
            count = len(leaf.statements.templates)
            if wanted.find(1, first, first + count) < 0:
                builder.skip(sketch(leaf.statements).defined[-1])
            else:
                self._leaf(builder, leaf, at, first, wanted)
            first += count
            at += leaf.end - leaf.start
        return builder.complete()

    def _leaf(self, builder: _Builder, leaf: Leaf, at: int, first: int, wanted: bytearray) -> None:
        those = leaf.statements
        templates, starts, names = those.templates, those.starts, those.names
        text, count = leaf.text, len(templates)
        used, defined = sketch(those)[:2]
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
                builder.run(some, text[start:end], at + start, leaf.links[used[number] : used[stop]])
            else:
                builder.skip(defined[stop] - defined[number])
            number = stop

    def _need(self, found: bytearray, statements: Iterable[int]) -> None:
        pending = list(statements)
        while pending:
            number = pending.pop()
            if number >= 0 and not found[number]:
                found[number] = 1
                pending.append(self._nesting.around(number))
                pending += self._nesting.together.get(number, ())

    def _named(self, number: int, offset: int) -> Iterator[int]:
        """The definitions that a name means which an offset in a statement touches."""
        place, own = self._place(number)
        leaf = self.piece.leaves[place]
        first = leaf.statements.starts[own]
        end = self._end(number) - self._starts[place]
        text = clean(leaf.source[leaf.start + first : leaf.start + end])
        names = enumerate(_NUMBERED.finditer(text))
        offset -= self._starts[place] + first
        touched = {slot for slot, one in names if one.start() <= offset <= one.end()}
        known = sketch(leaf.statements)
        used, defined = known.used[own], self._defined[place] + known.defined[own]
        for event in leaf.statements.templates[own].events:
            if isinstance(event, (OpShape, Rest)):
                for operand in event.operands:
                    if operand[0] in touched and leaf.links[used] >= 0:
                        yield leaf.links[used]
                    used += 1
            for there, size in defined_in(event):
                if there in touched:
                    yield from range(defined, defined + size)
                defined += size

    def _pack(self, definition: int) -> range:
        """The definitions that have one name with one of them (`%0:2`)."""
        place, own = self._place(self.defining(definition))
        statements = self.piece.leaves[place].statements
        first = self._defined[place] + sketch(statements).defined[own]
        for event in statements.templates[own].events:
            for _, size in defined_in(event):
                if definition < first + size:
                    return range(first, first + size)
                first += size
        return range(definition, definition + 1)


class StatementPart(NamedTuple):
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


def _set(flags: bytearray) -> Iterator[int]:
    """The numbers of the flags that are set."""
    number = flags.find(1)
    while number >= 0:
        yield number
        number = flags.find(1, number + 1)
