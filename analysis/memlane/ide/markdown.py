"""Text of programs in Markdown (CommonMark): it stays text, whatever stands in it.

Names in quotes, types and lines of a program may hold backticks, links, pictures and HTML. A picture is fetched by the
editor as soon as it is shown, so none may come from a program.
"""

from __future__ import annotations

import re

from memlane.lazy import regex

_TICKS = regex("`+")
_SPAN = regex(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
"""A code span in one line, as CommonMark has them."""
_ACTIVE = regex(r"[\\`\[\]<]")
"""What begins a link, a picture, code or HTML, and what would undo an escape."""

_FENCE = regex(r"(`{3,})\w*$")
_HEADING = regex(r"^#{1,6} ")
_LINK = regex(r"(?<!\\)\[((?:[^\]\\]|\\.)*)\]\([^)\s]*\)")
_ESCAPED = regex(r"\\([^\w\s])")


def code(text: str) -> str:
    """`text` in a line, as code."""
    line = " ".join(text.split()) or " "
    fence = _longer(line, 1)
    padded = f" {line} " if line.startswith("`") or line.endswith("`") else line
    return f"{fence}{padded}{fence}"


def block(text: str) -> str:
    """`text` as a block of MLIR."""
    fence = _longer(text, 3)
    return f"{fence}mlir\n{text}\n{fence}"


def plain(text: str) -> str:
    """A message in a line: what stands between backticks is code, all else is text."""
    line = " ".join(text.split())
    parts: list[str] = []
    end = 0
    for span in _SPAN.finditer(line):
        parts += [_ACTIVE.sub(r"\\\g<0>", line[end : span.start()]), span.group()]
        end = span.end()
    return "".join([*parts, _ACTIVE.sub(r"\\\g<0>", line[end:])])


def as_text(markdown: str) -> str:
    """What a page in Markdown says, for those who show plain text: without fences, quotes and the places of links."""
    lines: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        ticks = _FENCE.match(line)
        if fence and line.rstrip() == fence:
            fence = ""
        elif fence:
            lines.append(line)
        elif ticks is not None:
            fence = ticks[1]
        else:
            lines.append(_line_as_text(line))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


def _line_as_text(line: str) -> str:
    """The same of a line outside of blocks."""
    line = _HEADING.sub("", line)
    parts: list[str] = []
    end = 0
    for span in _SPAN.finditer(line):
        inner = span[2][1:-1] if span[2].startswith(" `") or span[2].endswith("` ") else span[2]
        parts += [_unmarked(line[end : span.start()]), inner]
        end = span.end()
    return "".join([*parts, _unmarked(line[end:])])


def _unmarked(text: str) -> str:
    return _ESCAPED.sub(r"\1", _LINK.sub(r"\1", text.replace("**", "")))


def _longer(text: str, least: int) -> str:
    """More backticks than stand anywhere in a row in `text`."""
    return "`" * max([least, *(len(run.group()) + 1 for run in _TICKS.finditer(text))])
