"""Where spans in portions of a document are, in lines and in columns of the client.

A large function has thousands of findings, whose places are written anew after each edit of it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate

from memlane.findings import Span
from memlane.lazy import regex
from memlane.syntax.editing.strips import Portion
from memlane_server.convert import to_units

LINE_END = regex(r"\r\n|\n|\r")

Place = tuple[int, int, int]
"""Which of some portions, line (from the portion's first) and column in the client's units."""


class Lines:
    """Where the lines of a portion begin."""

    __slots__ = ("_plain", "_starts", "_text")

    def __init__(self, portion: Portion) -> None:
        text = self._text = portion.text
        if "\r" in text:
            self._plain = False
            self._starts = array("i", [0, *(match.end() for match in LINE_END.finditer(text)), len(text) + 1])
        else:  # in a quarter of the time
            self._plain = text.isascii()  # each line is a column a character, and its end one more
            lengths = map(len, text.split("\n"))
            self._starts = array("i", [0, *accumulate(map((1).__add__, lengths))])

    def place(self, offset: int, encoding: str) -> tuple[int, int]:
        """Line and column, in the client's units, of an offset in the portion."""
        starts = self._starts
        line = bisect_right(starts, offset) - 1
        start, end = starts[line], starts[line + 1]
        if self._plain:
            return line, min(offset, end - 1) - start
        return line, to_units(self._text[start:end].rstrip("\r\n"), offset - start, encoding)

    def range(self, start: int, stop: int, encoding: str) -> tuple[int, int, int, int]:
        """The lines and columns of two offsets, the second not before the first."""
        line, column = self.place(start, encoding)
        if self._plain and stop < self._starts[line + 1]:
            return line, column, line, stop - self._starts[line]
        return (line, column, *self.place(stop, encoding))


class Ranges:
    """Says where spans are that lie in some portions.

    Args:
        starts: where the portions stand in the text that spans speak of. They may be parts of them.
        lines: gives the lines of one by its number.
        offsets: how far behind the beginning of those lines each stands.
        encoding: of the client.
    """

    __slots__ = ("_encoding", "_lines", "_offsets", "_starts")

    def __init__(
        self, starts: Sequence[int], lines: Callable[[int], Lines], encoding: str, offsets: Sequence[int] | None = None
    ) -> None:
        self._starts = starts
        self._lines = lines
        self._encoding = encoding
        self._offsets = offsets

    def of(self, span: Span) -> tuple[Place, Place]:
        """Its start and its end."""
        start, stop = span
        number = self._number(start)
        base = self._starts[number] - (self._offsets[number] if self._offsets is not None else 0)
        if number + 1 < len(self._starts) and stop >= self._starts[number + 1]:
            return self._place(start), self._place(stop)
        line, column, last, end = self._lines(number).range(start - base, stop - base, self._encoding)
        return (number, line, column), (number, last, end)

    def _place(self, offset: int) -> Place:
        number = self._number(offset)
        base = self._starts[number] - (self._offsets[number] if self._offsets is not None else 0)
        return (number, *self._lines(number).place(offset - base, self._encoding))

    def _number(self, offset: int) -> int:
        return max(0, bisect_right(self._starts, offset) - 1)
