"""Our reading beside LLVM's, for the tests and for full.py."""

from __future__ import annotations

import re
from collections import Counter

from memlane.syntax import parse
from memlane.text import Text
from syntax_oracle import LanguageServer, Place, places, run

_EXPLICIT = re.compile(r"\bloc\(")


def ours(text: str) -> list[Place]:
    """The ops we find, at the place mlir-opt names: the op's name."""
    lines = Text(text)
    found: list[Place] = []
    for op in parse(text).walk():
        line, column = lines.position(op.name_span.start)
        found.append(Place(line + 1, column + 1, op.name))
    return found


def differences(text: str) -> tuple[list[Place], list[Place], int] | None:
    """Ops only mlir-opt finds, ops only we find, and how many it finds; None for a text it rejects.

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
    return missed, invented, len(theirs)


def wrong_definitions(server: LanguageServer, uri: str, text: str) -> tuple[list[str], int]:
    """Uses whose definition differs from the server's, shown; and the number of uses asked for."""
    lines = Text(text)
    uses = [use for op in parse(text).walk() for use in (*op.operands, *(u for s in op.successors for u in s.operands))]
    places_of_uses = [lines.position(use.span.start) for use in uses]
    answers = server.definitions(uri, text, [(p.line, _utf16(lines, p)) for p in places_of_uses])
    wrong: list[str] = []
    for use, place, answer in zip(uses, places_of_uses, answers):
        mine = lines.position(use.value.span.start) if use.value is not None else None
        expected = [(mine.line, _utf16(lines, mine))] if mine is not None else []
        if answer != expected:
            wrong.append(f"{place.line + 1}:{place.column + 1} {use.name}: ours {expected}, theirs {answer}")
    return wrong, len(uses)


def _utf16(lines: Text, place: tuple[int, int]) -> int:
    line, column = place
    return len(lines.line(line)[:column].encode("utf-16-le")) // 2
