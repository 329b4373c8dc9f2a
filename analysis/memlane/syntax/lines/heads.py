"""Where on a line another function begins: functions are pieces of their own, wherever their lines end."""

from __future__ import annotations

import re

from memlane.lazy import regex
from memlane.syntax.shapes.holes import HOLE

_MARKS = regex(
    rf"""(?P<HEAD>(?<![\w.$@%#!{HOLE}"])(?:(?:[\w.]+\.)?func\s+(?:[\w"]+\s+)*@|"[\w.]*\bfunc"\s*\(|transform\.named_sequence\s+@))
    |(?P<SKIP>"(?:[^"\\]|\\.)*"|//.*)|(?P<REGION>\(\s*\{{(?!-\#))|(?P<OPEN>[(\[{{])|(?P<CLOSE>[)\]}}])""",
    re.VERBOSE,
)
_BEFORE = regex(r"(?:[{})>]|(?<![\w.$])(?:[su]?i\d+|index|none|bf16|f\d+))\s*$")
"""What stands before a function in generic form; a string may name an operation elsewhere."""


def _worth(line: str) -> bool:
    """Whether a word that heads a function stands in the line, behind what opens it: most have none."""
    at = line.find("func", 0 if line[:1] == "}" else 8)
    while at >= 0:
        if line[at + 4 : at + 5] in (" ", "\t", '"'):
            return True
        at = line.find("func", at + 4)
    return "named_sequence" in line


def next_head(line: str) -> int:
    """Where a function begins in a line, behind its start; 0 where none does. Linear up to there."""
    if not _worth(line):
        return 0
    stack: list[str] = []
    for match in _MARKS.finditer(line):
        kind, start = match.lastgroup, match.start()
        if kind == "HEAD":
            if match.group()[0] == '"':
                if start and "(" not in stack and "[" not in stack and _BEFORE.search(line, max(0, start - 40), start):
                    return start
            elif start and "(" not in stack and "[" not in stack:
                return start
        elif kind == "REGION":
            stack += ("({", "{")
        elif kind == "OPEN":
            stack.append(match.group())
        elif kind == "CLOSE" and stack:
            stack.pop()
    return 0
