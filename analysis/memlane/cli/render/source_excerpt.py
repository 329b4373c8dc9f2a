"""A piece of source with its line numbers and marks below it: what `full` output shows of a file.

All places of a finding go into one frame, in the order of the text, as compilers do it:

      |
    8 |   %a = memref.alloc() : memref<4xf32>
      |        ------------ allocated here
    ...
   12 |   %v = memref.load %a[%c0] : memref<4xf32>
      |        ^^^^^^^^^^^
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from memlane.cli.render.style import Style, visible, width
from memlane.findings import Severity, Span
from memlane.text import Text

CUT = "…"


@dataclass(frozen=True, slots=True)
class Mark:
    """A place to underline. `severity` is that of the finding for its own place, None for a note."""

    span: Span
    label: str
    severity: Severity | None = None


class _ShownColumns(NamedTuple):
    """The part of a line that is shown: columns in code points, `end` exclusive."""

    start: int
    end: int


def excerpt(text: Text, marks: Sequence[Mark], style: Style) -> list[str]:
    """The lines of the frame around `marks`, without the line that names the file."""
    last = text.position(max(mark.span.start for mark in marks)).line
    return list(_Frame(text, style, len(str(last + 1))).lines(marks))


def gutter(text: Text, marks: Sequence[Mark]) -> int:
    """Digits of the largest line number in the frame around `marks`."""
    return len(str(text.position(max(mark.span.start for mark in marks)).line + 1))


class _Frame:
    """Draws lines of one text with line numbers of `digits` places."""

    def __init__(self, text: Text, style: Style, digits: int) -> None:
        self.text = text
        self.style = style
        self.digits = digits
        self.room = style.columns - digits - 3

    def lines(self, marks: Sequence[Mark]) -> Iterator[str]:
        """The frame, top to bottom."""
        yield self.rail("")
        previous = None
        for line, group in groupby(sorted(marks, key=lambda mark: mark.span.start), self.line_of):
            if previous is not None and line == previous + 2:  # "..." would take the same place
                yield self.source(line - 1, self.window(line - 1, 0))
            elif previous is not None and line > previous + 2:
                yield self.style.paint("rail", "...")
            here = sorted(group, key=lambda mark: mark.severity is None)
            window = self.window(line, self.text.position(here[0].span.start).column)
            yield self.source(line, window)
            for mark in here:
                yield self.rail("", self.underline(mark, line, window))
            previous = line
        yield self.rail("")

    def line_of(self, mark: Mark) -> int:
        return self.text.position(mark.span.start).line

    def rail(self, number: str, content: str = "") -> str:
        return f"{self.style.paint('rail', f'{number:>{self.digits}} |')} {content}".rstrip()

    def source(self, line: int, window: _ShownColumns) -> str:
        """A line of the text, cut to the window."""
        whole = self.text.line(line)
        before, after = CUT if window.start else "", CUT if window.end < len(whole) else ""
        return self.rail(str(line + 1), before + visible(whole[window.start : window.end]) + after)

    def window(self, line: int, column: int) -> _ShownColumns:
        """What to show of a line so that it fits and `column` is seen with something before it."""
        whole = self.text.line(line)
        if len(whole) <= self.room:
            return _ShownColumns(0, len(whole))
        size = self.room - 2 * len(CUT)
        start = max(0, min(column - size // 4, len(whole) - size))
        return _ShownColumns(start if start > size // 4 else 0, start + size if start > size // 4 else size)

    def underline(self, mark: Mark, line: int, window: _ShownColumns) -> str:
        """Carets or dashes under the mark's part of the line, and its label."""
        whole = self.text.line(line)
        start = self.text.position(mark.span.start).column
        stop = start + max(1, mark.span.end - mark.span.start)  # of several lines, to the end of the first
        start, stop = (min(max(at, window.start), window.end) for at in (start, stop))
        blanks = width(visible(whole[window.start : start])) + (len(CUT) if window.start else 0)
        count = max(1, width(visible(whole[start : min(stop, len(whole))])))
        role = "rail" if mark.severity is None else mark.severity.value
        drawn = ("-" if mark.severity is None else "^") * count + (f" {visible(mark.label)}" if mark.label else "")
        return " " * blanks + self.style.paint(role, drawn)
