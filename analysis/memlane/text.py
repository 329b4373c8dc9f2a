"""Text: a source and its line table; offsets to lines and columns, and back.

Lines end at `\n`, `\r\n` or `\r`, as the LSP specification (section "Text Documents") says; U+2028, form feed and
the other characters `str.splitlines` knows do not end a line. Columns count code points; the server converts
them to what its client counts in.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

_LINE_END = re.compile(r"\r\n|\n|\r")


class Position(NamedTuple):
    """A place in the text: `line` and `column` are 0-based, `column` counts code points."""

    line: int
    column: int


class Text:
    """An immutable source with its line table."""

    __slots__ = ("_starts", "source")

    def __init__(self, source: str) -> None:
        self.source = source
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(source))]

    @property
    def line_count(self) -> int:
        """Number of lines; an empty text has one."""
        return len(self._starts)

    def position(self, offset: int) -> Position:
        """The line and column of `offset`, which is clamped to the text."""
        offset = max(0, min(offset, len(self.source)))
        line = bisect_right(self._starts, offset) - 1
        return Position(line, offset - self._starts[line])

    def offset(self, line: int, column: int) -> int:
        """The offset of a position, clamped to the line (before its end) and to the text."""
        if line < 0:
            return 0
        if line >= len(self._starts):
            return len(self.source)
        return min(self._starts[line] + max(0, column), self.line_end(line))

    def line_end(self, line: int) -> int:
        """The offset just before the characters that end `line`."""
        if line + 1 >= len(self._starts):
            return len(self.source)
        end = self._starts[line + 1]
        return end - 2 if self.source[end - 2 : end] == "\r\n" else end - 1

    def line(self, line: int) -> str:
        """The text of `line` without what ends it."""
        return self.source[self._starts[line] : self.line_end(line)]
