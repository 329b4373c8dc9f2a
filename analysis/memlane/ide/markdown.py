"""Text of programs in Markdown (CommonMark): it stays text, whatever stands in it.

Names in quotes, types and lines of a program may hold backticks, links, pictures and HTML. A picture is fetched by the
editor as soon as it is shown, so none may come from a program.
"""

from __future__ import annotations

import re

_TICKS = re.compile("`+")
_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
"""A code span in one line, as CommonMark has them."""
_ACTIVE = re.compile(r"[\\`\[\]<]")
"""What begins a link, a picture, code or HTML, and what would undo an escape."""


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


def _longer(text: str, least: int) -> str:
    """More backticks than stand anywhere in a row in `text`."""
    return "`" * max([least, *(len(run.group()) + 1 for run in _TICKS.finditer(text))])
