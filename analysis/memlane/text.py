"""Text: a source and its line table; offsets to lines and columns, and back.

Lines end at `\n`, `\r\n` or `\r`, as the LSP specification (section "Text Documents") says; U+2028, form feed and
the other characters `str.splitlines` knows do not end a line. Columns count code points; the server converts
them to what its client counts in.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import NamedTuple

from memlane.lazy import regex
from memlane.source_frames import SourceFrames

_LINE_END = regex(r"\r\n|\n|\r")
_NEWLINE = regex("\n")
"""Found in a quarter of the time."""
BLOCK = 8192
"""Characters of a block of the line table."""


class Position(NamedTuple):
    """A place in the text: `line` and `column` are 0-based, `column` counts code points."""

    line: int
    column: int


class Text:
    """An immutable source with its line table, which is made block by block, on first access."""

    __slots__ = ("__weakref__", "_before", "_frames", "_size", "_starts", "plain", "source")

    def __init__(self, source: str) -> None:
        self.source = source
        plain = "\r" not in source
        self.plain = plain and source.isascii()
        """Each character is one in every encoding, and each end of a line is one."""
        self._size = BLOCK if plain else max(BLOCK, len(source)) + 1
        """Of a block. A text with carriage returns is one block: a line may end with two characters."""
        self._starts: dict[int, list[int]] = {}
        counts = [source.count("\n", at, at + BLOCK) for at in range(0, len(source), BLOCK)] if plain else None
        self._before = [0, *accumulate([len(self._table(0))] if counts is None else counts)]
        """How many lines end before each block, and in all."""
        self._frames: SourceFrames | None = None

    @property
    def frames(self) -> SourceFrames:
        """The places in other files that its statements come from."""
        if self._frames is None:
            self._frames = SourceFrames(self.source)
        return self._frames

    @property
    def line_count(self) -> int:
        """Number of lines; an empty text has one."""
        return 1 + self._before[-1]

    def position(self, offset: int) -> Position:
        """The line and column of `offset`, which is clamped to the text."""
        offset = max(0, min(offset, len(self.source)))
        block = min(offset, len(self.source) - 1) // self._size if offset else 0
        starts = self._table(block)
        number = bisect_right(starts, offset)
        first = starts[number - 1] if number else self.source.rfind("\n", 0, block * self._size) + 1
        return Position(self._before[block] + number, offset - first)

    def offset(self, line: int, column: int) -> int:
        """The offset of a position, clamped to the line (before its end) and to the text."""
        if line < 0:
            return 0
        if line >= self.line_count:
            return len(self.source)
        return min(self._start(line) + max(0, column), self.line_end(line))

    def line_end(self, line: int) -> int:
        """The offset just before the characters that end `line`."""
        if line + 1 >= self.line_count:
            return len(self.source)
        end = self._start(line + 1)
        return end - 2 if self.source[end - 2 : end] == "\r\n" else end - 1

    def line(self, line: int) -> str:
        """The text of `line` without what ends it."""
        return self.source[self._start(line) : self.line_end(line)]

    def _start(self, line: int) -> int:
        """Where a line begins that there is."""
        if not line:
            return 0
        block = bisect_left(self._before, line) - 1
        return self._table(block)[line - self._before[block] - 1]

    def _table(self, block: int) -> list[int]:
        """Where lines begin of which the one before ends in a block."""
        found = self._starts.get(block)
        if found is None:
            pattern = _NEWLINE if self._size == BLOCK else _LINE_END
            ends = pattern.finditer(self.source, block * self._size, (block + 1) * self._size)
            found = self._starts[block] = [match.end() for match in ends]
        return found
