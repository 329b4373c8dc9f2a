"""Our reading beside LLVM's, for the tests and for full.py."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from syntax_oracle import LanguageServer, Place, places, run

from memlane.syntax import parse
from memlane.text import Text

_EXPLICIT = re.compile(r"\bloc\(")
_MENTION = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|%(?:\d+|[A-Za-z$._-][\w$.-]*)')


def ours(text: str) -> list[Place]:
    """The ops we find, at the place mlir-opt names: the op's name."""
    lines = Text(text)
    found: list[Place] = []
    for op in parse(text).walk():
        line, column = lines.position(op.name_span.start)
        found.append(Place(line + 1, column + 1, op.name))
    return found


class Differences(NamedTuple):
    """Ops only mlir-opt finds, ops only we find, and how many it finds."""

    missed: list[Place]
    invented: list[Place]
    total: int


def differences(text: str) -> Differences | None:
    """How our ops differ from mlir-opt's; None for a text it rejects.

    Ops without a text of their own are left out: implicit terminators carry the place of their parent, an implicit
    module has none. Ops with an explicit `loc(...)` are compared by name alone.
    """
    printed = run(text)
    if printed is None:
        return None
    truth = places(printed)
    mine = ours(text)
    at = {(place.line, place.column): place for place in mine}
    implicit = {place for place in truth if (found := at.get(place[:2])) is not None and found.name != place.name}
    names = {place[:2] for place in truth if place not in implicit}
    implicit = {place for place in implicit if place[:2] in names}
    theirs = Counter(place for place in truth if place not in implicit and place.line > 0)
    mine_counted = Counter(mine)
    missed = list((theirs - mine_counted).keys())
    invented = list((mine_counted - theirs).elements())
    if _EXPLICIT.search(text):
        every = Counter(re.findall(r'^\s*(?:%[\w:, %]+ = )?"([\w.$-]+)"\(', printed, re.MULTILINE))
        for place in list(invented):
            if every[place.name] > sum(1 for one in truth if one.name == place.name):
                every[place.name] -= 1
                invented.remove(place)
    return Differences(missed, invented, len(theirs))


class Definitions(NamedTuple):
    """Mentions of SSA names: those read otherwise than the server does, the unanswered, and how many there are.

    The server has no answer for an operand that an affine op drops while it parses (`%i` in `%i - %i`).
    """

    wrong: list[str]
    unanswered: int
    total: int


def compare_definitions(server: LanguageServer, uri: str, text: str) -> Definitions:
    """Ask for the definition of every `%name` outside comments and strings."""
    lines = Text(text)
    mine: dict[int, int] = {}
    for op in parse(text).walk():
        values = [
            *op.results,
            *(value for region in op.regions for block in region.blocks for value in block.arguments),
        ]
        mine.update((value.span.start, value.span.start) for value in values)
        for use in (*op.operands, *(use for successor in op.successors for use in successor.operands)):
            mine[use.span.start] = use.value.span.start if use.value is not None else -1
    mentions = [match.start() for match in _MENTION.finditer(text) if match.group()[0] == "%"]
    asked = [_utf16(lines, offset) for offset in mentions]
    wrong: list[str] = []
    unanswered = 0
    for offset, answer in zip(mentions, server.definitions(uri, text, asked), strict=True):
        if not answer and offset in mine:
            unanswered += 1
            continue
        found = mine.get(offset, -1)
        expected = [_utf16(lines, found)] if found >= 0 else []
        if answer != expected:
            line, column = lines.position(offset)
            wrong.append(f"{line + 1}:{column + 1} {text[offset : offset + 12]!r}: ours {expected}, theirs {answer}")
    return Definitions(wrong, unanswered, len(mentions))


def _utf16(lines: Text, offset: int) -> tuple[int, int]:
    line, column = lines.position(offset)
    return line, len(lines.line(line)[:column].encode("utf-16-le")) // 2
