"""Where brackets close, what is space, and what a brace holds, in a shape."""

from __future__ import annotations

import re

from memlane.lazy import regex
from memlane.syntax.shapes.holes import BLOCK, HOLE, VALUE
from memlane.syntax.shapes.vocabulary import registered

_BRACKET = regex(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|->|[<>]')
_BRACKET_MAP = regex(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|->|[<>]=|[<>]')
_PAREN = regex(r'"(?:[^"\\\n]|\\.)*"|[()]')
_SPACE = regex(r"(?:\s+|//[^\n]*)*")
_GAP = regex(r"\s*")
_LONE_OP = regex(
    r"\{(?:\s*\n\s*[A-Za-z_]\w*\.[\w.$]+\s*\}|\s*(?:\w+\.(?:\w+[._])*)?(?:return|yield|terminator|unreachable)\s*\})"
)
OPERANDS = rf"\s*{VALUE}(?:#\d+)?(?:\s*,\s*{VALUE}(?:#\d+)?)*\s*(?:\}}|:\s*\D)"
"""Behind a brace: names of operands, `({%a, %b}, {%c})`, with types or without."""

ENTRIES = rf"\s*(?:(?:default|{HOLE}|\d+)\s*:\s*{BLOCK}|{VALUE}(?:\[|::))"
"""Behind a brace what is no operation: cases and their blocks, `{default: ^bb1(%a : i32), 0: ^bb2}`, or parts of
operands, `{%a[%i] : i32, %b::%c}`."""

PARAMETRIC = regex(r"(?!affine_|dense|array|strided|memref|tensor|vector)[a-z_][\w$.]*<[^<>]*>\s*[@(]")
"""The name of an operation with parameters, where a statement begins: `operation<@add>(%0)`."""

_LONE_NAME = regex(r"\{\s*([A-Za-z_]\w*\.[\w.$]+)\s*\}")


def skip(text: str, position: int) -> int:
    """The next offset from `position` on that is neither space nor comment."""
    match = _SPACE.match(text, position)
    return match.end() if match else position


def skip_space(text: str, position: int) -> int:
    """The next offset from `position` on that is no space."""
    match = _GAP.match(text, position)
    return match.end() if match else position


def closing_angles(text: str) -> dict[int, int]:
    """For each `<` that closes, the end of what it opens, exclusive."""
    found: dict[int, int] = {}
    stack: list[int] = []
    for match in _BRACKET.finditer(text):
        bracket = match.group()
        if bracket == "<":
            stack.append(match.start())
        elif bracket == ">" and stack:
            found[stack.pop()] = match.end()
    return found


def map_end(text: str, start: int) -> int:
    """The end of the `<...>` of an affine map or set that opens at `start`, exclusive; -1 where it does not close."""
    return _end(_BRACKET_MAP, "<", ">", text, start)


def paren_end(text: str, start: int) -> int:
    """The end of the `(...)` that opens at `start`, exclusive; -1 where it does not close."""
    return _end(_PAREN, "(", ")", text, start)


def _end(brackets: re.Pattern[str], opening: str, closing: str, text: str, start: int) -> int:
    depth = 0
    for match in brackets.finditer(text, start):
        bracket = match.group()
        if bracket == opening:
            depth += 1
        elif bracket == closing:
            depth -= 1
            if not depth:
                return match.end()
    return -1


def lone_op(text: str, start: int) -> bool:
    """Whether the braces that open at `start` hold a lone name that is an operation, and no attribute."""
    if _LONE_OP.match(text, start):
        return True
    match = _LONE_NAME.match(text, start)
    return match is not None and registered(match.group(1))
