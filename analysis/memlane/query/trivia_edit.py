"""Functions of which only the space and the comments between statements are others, or text that is no operation: what
is found in them stays, in other places.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memlane.findings import Span
from memlane.lazy import regex
from memlane.syntax.editing.piece import Piece, Sort
from memlane.syntax.lines.common import common
from memlane.syntax.lines.statements import Statements, joined, unlike
from memlane.syntax.shapes.shape import Rest, Template

_NO_CODE = regex(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*')


class Respaced(NamedTuple):
    """What began `at` an offset of the function's piece, or behind it, begins `further` on."""

    at: int
    further: int

    def place(self, offset: int) -> int:
        """Where what began at an offset begins."""
        return offset + self.further if offset >= self.at else offset

    def inside(self, start: int, size: int) -> Respaced | None:
        """The same from the start of a portion of the piece; None where what moves begins neither in it nor behind."""
        if self.further and not 0 <= self.at - start <= size:
            return None
        return Respaced(min(max(0, self.at - start), size), self.further)

    def span(self, span: Span) -> Span:
        """Where what stood there stands."""
        end = span.end + self.further if span.end > self.at or span.start >= self.at else span.end
        return Span(self.place(span.start), end)


def respaced(old: Piece, new: Piece) -> Respaced | None:
    """How `new` stands in place of `old` with the same operations; None where it has others, or may."""
    if old.sort is not Sort.FUNCTION or new.sort is not Sort.FUNCTION:
        return None
    if any(piece.damaged or piece.odd or _torn(piece) for piece in (old, new)):
        return None
    at, those, others = unlike(old.leaves, new.leaves)
    one, other = joined(those), joined(others)
    before, now = (
        _Ops("".join([leaf.text for leaf in leaves]), some) for leaves, some in ((those, one), (others, other))
    )
    first = max(before.first, now.first) if not at else 0
    if len(before.templates) != len(now.templates) or not all(map(_alike, before.templates, now.templates)):
        return None
    most = min(len(before.text), len(now.text))
    head = common(before.text, now.text, most)
    tail = common(before.text[::-1], now.text[::-1], most - head)
    ends = len(before.text) - tail, len(now.text) - tail
    follows = before.follows(ends[0])
    if head < first or before.text[head:follows].strip() or now.text[head : ends[1]].strip():
        return None
    if head and tail and not (before.text[head - 1 : head].isspace() or before.text[ends[0] : ends[0] + 1].isspace()):
        return None
    return Respaced(at + ends[0], ends[1] - ends[0])


class _Ops:
    """What says operations in some text: all else of it is space.

    Attributes:
        templates: of the statements that say something. `first`: where what the first of all statements says ends.
    """

    def __init__(self, text: str, statements: Statements) -> None:
        templates, starts = statements.templates, statements.starts
        silent = _silent(templates)
        text = _NO_CODE.sub(lambda found: " " * len(found[0]) if found[0][0] == "/" else found[0], text)
        ends = [*starts[1:], len(text)]
        for number in silent:
            start, end = starts[number], ends[number]
            text = text[:start] + " " * (end - start) + text[end:]
        self.text = text
        said = [number for number in range(len(templates)) if number not in silent]
        self.templates = [templates[number] for number in said]
        self._starts = [starts[number] for number in said]
        self.first = len(text[: starts[1] if len(starts) > 1 else len(text)].rstrip())

    def follows(self, offset: int) -> int:
        """Where the first statement begins at or behind an offset that says something."""
        return next((start for start in self._starts if start >= offset), len(self.text))


def _alike(one: Template, other: Template) -> bool:
    """Whether two statements say the same: of one with a comment and one without there may be two templates."""
    return one is other or (one.events == other.events and one.faults == other.faults)


def _silent(templates: Sequence[Template]) -> set[int]:
    """The numbers of templates without operations: other text after a complete one."""
    found: set[int] = set()
    whole = False
    for number, template in enumerate(templates):
        if template.single is not None:
            whole = True
        elif whole and all(isinstance(event, Rest) for event in template.events):
            found.add(number)
        else:
            whole = False
    return found


def _torn(piece: Piece) -> bool:
    """Whether regions of it are closed by less than braces."""
    return any(leaf.statements.pops for leaf in piece.leaves)
