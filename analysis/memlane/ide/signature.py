"""The signature of the function that is being called at a place, also while the call is half typed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memlane.findings import Span
from memlane.ide.limits import MAX_LOOKED_BACK
from memlane.ide.locate import at
from memlane.ide.snapshot import File
from memlane.ide.symbol_mentions import resolve
from memlane.lazy import regex

_CALL = regex(r'@((?:[\w$.-]+|"(?:[^"\\]|\\.)*"))(?:::@[\w$.-]+)*[ \t]*\(')
_NESTED = {"(": ")", "<": ">", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class Signature:
    """A function's head.

    Args:
        label: as it is written, without what introduces it.
        parameters: where each stands in `label`.
        active: number of the parameter that is typed.
    """

    label: str
    parameters: tuple[Span, ...]
    active: int


def signature(file: File, offset: int) -> Signature | None:
    """What is called where `offset` is between the parentheses of a call."""
    source = file.text.source
    start = max(source.rfind("\n", 0, offset) + 1, offset - MAX_LOOKED_BACK)
    typed = source[start:offset]
    for match in reversed(list(_CALL.finditer(typed))):
        active = _active(typed[match.end() :])
        if active is not None:
            return _of(file, offset, match.group(1).strip('"'), active)
    return None


def _active(text: str) -> int | None:
    """How many commas stand in an open parenthesis; None where it is closed."""
    depth = commas = 0
    for character in text.replace("->", ""):
        if character in _NESTED:
            depth += 1
        elif character in _NESTED.values():
            depth -= 1
            if depth < 0:
                return None
        elif character == "," and depth == 0:
            commas += 1
    return commas


def _of(file: File, offset: int, name: str, active: int) -> Signature | None:
    symbol = resolve(file.text.source, file.near(at(offset), name), offset, name, file.models)
    if symbol is None or not file.models.is_function(symbol.op.name):
        return None
    head = re.compile(r"[^\r\n{]*").match(file.text.source, symbol.span.start)
    label = head.group().rstrip() if head else f"@{name}"
    return Signature(label, tuple(_parameters(label)), active)


def _parameters(label: str) -> list[Span]:
    """What stands between the commas of the first parentheses."""
    start = label.find("(") + 1
    found: list[Span] = []
    depth, begin = 0, start
    for place in range(start, len(label)):
        character = label[place]
        if character == ">" and label[place - 1] == "-":
            continue
        if character in _NESTED:
            depth += 1
        elif character in _NESTED.values():
            depth -= 1
        if depth < 0 or (character == "," and depth == 0):
            text = label[begin:place]
            if text.strip():
                found.append(Span(begin + len(text) - len(text.lstrip()), begin + len(text.rstrip())))
            begin = place + 1
        if depth < 0:
            break
    return found
