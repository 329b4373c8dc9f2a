"""A document under edit: its pieces, and the tree they make. Immutable; an edit gives another document.

Pieces (pieces.py) that an edit does not touch are the same objects in the new document, so what is remembered about
them stays: the cut itself, resolved names, and whatever others key by `Function.key`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import compress, count
from operator import is_not
from typing import NamedTuple

from memlane.cancellation import poll
from memlane.dialects.model import Models
from memlane.findings import Edit
from memlane.source_frames import LocationAliases
from memlane.syntax.editing.amend import amended
from memlane.syntax.editing.borders import borders
from memlane.syntax.editing.cut_text import CutText
from memlane.syntax.editing.heap import give_back
from memlane.syntax.editing.limits import MAX_PAST_TEXT, MAX_PAST_VERSIONS, MIN_TRIMMED_LEAVES
from memlane.syntax.editing.piece import Piece, title_of
from memlane.syntax.editing.pieces import CutPiece, cut
from memlane.syntax.editing.section import Placed, Section
from memlane.syntax.editing.sparse import StatementPart
from memlane.syntax.lines.memo import Memo
from memlane.syntax.lines.statements import Leaf, unlike
from memlane.syntax.names.scoping import Scoping
from memlane.syntax.problems import Problems
from memlane.syntax.tree.aliases import Aliases
from memlane.syntax.tree.tree import Tree

_memo = Memo()
"""Shared by all documents of the process, as what a shape says depends on nothing else."""


_NO_PIECES: Mapping[int, Piece] = {}


class Document(CutText):
    """A source, read. `edit` gives the document after a change and keeps what the change does not touch.

    Args:
        known: pieces of another document, by where they stand in this one: they stay the same objects, too.
    """

    def __init__(
        self,
        source: str,
        models: Models | None = None,
        memo: Memo | None = None,
        known: Mapping[int, Piece] = _NO_PIECES,
    ) -> None:
        super().__init__(Scoping(models))
        self.memo = memo or _memo
        self._past: tuple[_Version, ...] = ()
        self._set(list(self._read(source, known)))
        self.__dict__["source"] = source
        if any(len(piece.leaves) > MIN_TRIMMED_LEAVES for piece in self.pieces):
            give_back()

    def _read(self, source: str, known: Mapping[int, Piece]) -> Iterator[CutPiece]:
        """The pieces; those that are known are put in the place of their like."""
        at = 0
        for one in cut(source, self.memo, self.scoping):
            poll()
            same = known.get(at)
            yield CutPiece(same, one.reach) if same is not None and one.piece.same(same) else one
            at += one.piece.size

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """What stands between `// -----` lines; not read before `tree` is asked for."""
        return tuple(Section(self, first, last, title) for first, last, title in self._parts())

    @cached_property
    def aliases(self) -> tuple[Aliases, ...]:
        """What those of each section stand for; none where the whole document defines none."""
        _ = self.tree  # sections are read by this
        found = tuple([section.aliases for section in self.sections])
        return found if any(found) else ()

    def locations_at(self, offset: int) -> LocationAliases:
        """What the aliases of locations stand for in the section that an offset is in."""
        return self.section_of(bisect_right(self.starts, offset) - 1).locations

    def section_of(self, number: int) -> Section:
        """The section that piece `number` is in."""
        return self.sections[bisect_right(self.sections, number, key=lambda section: section.first) - 1]

    def each(
        self, functions: Sequence[int], part: Callable[[int], StatementPart | None] = lambda _: None
    ) -> Iterator[Placed]:
        """Functions by the numbers of their pieces, in text order, one after the other: each is taken apart when the
        next one is asked for.

        Args:
            part: what of a function is built; None: all of it.
        """
        for section in self.sections:
            inside = functions[bisect_left(functions, section.first) : bisect_left(functions, section.last)]
            if inside:
                yield from section.each(inside, part)

    @cached_property
    def tree(self) -> Tree:
        """The op tree; ops are built when they are looked at."""
        chunks = tuple(section.read() for section in self.sections)
        self.glue = dict(section.glue for section in self.sections if section.glue is not None)
        problems = Problems()
        for section in self.sections:
            found, others = section.problems.first()
            for problem in found:
                problems.add(problem)
            problems.count(others)
        return Tree(chunks, *problems.told())

    def _parts(self) -> Iterable[tuple[int, int, str]]:
        first, title = 0, ""
        for number in borders(self.pieces):
            yield first, number, title
            first, title = number, title_of(self.pieces[number])
        yield first, len(self.pieces), title

    def edit(self, edits: Iterable[Edit]) -> Document:
        """The document after `edits`, whose spans are offsets in this one and do not overlap. What is
        inserted in one place stays in its order."""
        document = self
        for edit in sorted(edits, key=lambda one: one.span)[::-1]:
            document = document._replaced(edit.span.start, edit.span.end, edit.content)
        return document

    def _replaced(self, start: int, end: int, content: str) -> Document:
        """One edit: cut anew what depends on the place, until a piece begins where an old one did.

        A piece whose cut looked past the end of the text taken is inconclusive: then more text is taken.
        """
        pieces, starts, cuts = self.pieces, self.starts, self._cuts
        if not pieces:
            return self._with([*cut(content, self.memo, self.scoping)], 0)
        earlier = self._earlier(start, end, content)
        if earlier is not None:
            return earlier
        first = self._reaching(start)
        again = self._amended(first, start, end, content)
        if again is not None:
            return again
        while first and not pieces[first - 1].whole_lines:
            first -= 1
        last = bisect_left(starts, end)
        more = 1
        while True:
            stop = min(len(pieces), last + more)
            begin = starts[first]
            text = "".join(piece.text for piece in pieces[first:stop])
            text = text[: start - begin] + content + text[end - begin :]
            old = {starts[number] + len(content) - (end - start): number for number in range(last, stop)}
            fresh: list[CutPiece] = []
            position, after, limit = begin, start + len(content), begin + len(text)
            trusted = stop == len(pieces)
            for piece, reach in cut(text, self.memo, self.scoping):
                number = old.get(position)
                if number is not None and position >= after and fresh and self._resumes(number, fresh[-1].piece, piece):
                    return self._with([*cuts[:first], *fresh, *cuts[number:]], starts[number] - begin)
                if position + piece.size <= start:  # cut anew as what follows it may have decided where it ends
                    piece = self._kept(first + len(fresh), position, piece)
                position += piece.size
                if not trusted and position + reach > limit:
                    break
                fresh.append(CutPiece(piece, reach))
            if trusted:
                return self._with([*cuts[:first], *fresh], self.size - begin)
            more *= 4

    def _amended(self, number: int, start: int, end: int, content: str) -> Document | None:
        """The document after an edit of some statements of piece `number`, a function; None where it is another."""
        piece, at = self.pieces[number], self.starts[number]
        if number and not self.pieces[number - 1].whole_lines:
            return None
        found = amended(piece, start - at, end - at, content, self.memo, self.scoping)
        if found is None:
            return None
        one = CutPiece(found, self._cuts[number].reach)
        return self._with([*self._cuts[:number], one, *self._cuts[number + 1 :]], piece.size)

    def _resumes(self, number: int, before: Piece, piece: Piece) -> bool:
        """Whether `piece`, cut anew behind `before`, is the old piece `number`, and stands on its line as that did."""
        pieces = self.pieces
        return (
            before.whole_lines == (not number or pieces[number - 1].whole_lines) and piece.text == pieces[number].text
        )

    def _kept(self, number: int, start: int, piece: Piece) -> Piece:
        """The piece `number` where it is what has been cut at `start`."""
        if number < len(self.pieces) and self.starts[number] == start and piece.same(self.pieces[number]):
            return self.pieces[number]
        return piece

    def _reaching(self, offset: int) -> int:
        """The first piece whose cut may depend on the text at `offset`."""
        starts = self.starts
        first = number = max(0, bisect_right(starts, offset) - 1)
        while number > 0 and starts[number] + self.farthest >= offset:
            number -= 1
            if starts[number + 1] + self._cuts[number].reach >= offset:
                first = number
        return first

    def _earlier(self, start: int, end: int, content: str) -> Document | None:
        """The document after an edit that gives the text of one of the versions before: its pieces come back."""
        size = self.size + len(content) - (end - start)
        for number, version in enumerate(self._past, 1):
            if version.size != size:
                continue
            now, then = self._cuts, version.cuts
            first = _alike(now, then)
            last = min(_alike(now[::-1], then[::-1]), min(len(now), len(then)) - first)
            begin = self.starts[first] if first < len(now) else self.size
            until = self.starts[len(now) - last] if last else self.size
            at, those, others = unlike(
                _leaves(now[first : len(now) - last]), _leaves(then[first : len(then) - last]), 0
            )
            at += begin
            text = "".join([leaf.text for leaf in those])
            if not at <= start <= end <= at + len(text):
                continue
            if text[: start - at] + content + text[end - at :] == "".join([leaf.text for leaf in others]):
                return self._with(then, until - begin, self._past[number:])
        return None

    def _with(self, cuts: Sequence[CutPiece], gone: int, older: tuple[_Version, ...] | None = None) -> Document:
        """The version after this one. `gone`: characters of pieces that it does not have; `older` come before both."""
        document = Document.__new__(Document)
        document.scoping, document.memo, document.glue = self.scoping, self.memo, self.glue
        document._set(cuts)
        past = [_Version(self.size, self._cuts, gone)]
        for version in (self._past if older is None else older)[: MAX_PAST_VERSIONS - 1]:
            gone += version.gone
            if gone > MAX_PAST_TEXT:
                break
            past.append(version)
        document._past = tuple(past)
        return document


class _Version(NamedTuple):
    """A version of a document that came before another; `gone`: characters of pieces that the next does not have."""

    size: int
    cuts: Sequence[CutPiece]
    gone: int


def _leaves(cuts: Sequence[CutPiece]) -> list[Leaf]:
    return [leaf for piece, _ in cuts for leaf in piece.leaves]


def _alike(one: Sequence[CutPiece], other: Sequence[CutPiece]) -> int:
    """How many pieces two versions share from the start."""
    return next(compress(count(), map(is_not, one, other)), min(len(one), len(other)))
