"""The generic form of an operation: where its operands, their types and their numbers stand, and how one is added."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from memlane.findings import Span
from memlane.fixes.edit_writer import Writer
from memlane.lazy import regex
from memlane.syntax.tree.tree import Op

_TOKEN = regex(r'"(?:[^"\\\r\n]|\\.)*"|//[^\r\n]*|->|[(\[{<]|[)\]}>]|[:,]')
_SEGMENTS = regex(r"operandSegmentSizes\s*=\s*array<\s*i32\s*:([^>]*)>")
_CASES = "case_operand_segments"
_CASE_SIZES = regex(rf"{_CASES}\s*=\s*array<\s*i32\s*:([^>]*)>")


class FormRefused(Exception):
    """The text has a form to which nothing can be added."""


def is_generic(source: str, op: Op) -> bool:
    """Whether an op is written in the generic form."""
    return source[op.name_span.start] == '"'


def closing(source: str, start: int, depth: int) -> int:
    """The offset of the parenthesis that closes the outermost of `depth` open ones, and of those from `start` on."""
    for token in _TOKEN.finditer(source, start):
        depth += (token[0] == "(") - (token[0] == ")")
        if depth == 0 and token[0] == ")":
            return token.start()
    raise FormRefused


def last_arrow(source: str, start: int, end: int) -> int:
    """The offset of the last `->` between two offsets that is in no brackets; types may have some in theirs."""
    depth, found = 0, -1
    for token in _TOKEN.finditer(source, start, end):
        word = token[0]
        depth += (word in "([{<") - (word in ")]}>")
        if word == "->" and depth == 0:
            found = token.start()
    if found < 0:
        raise FormRefused
    return found


def operand_types(source: str, op: Op) -> list[Span]:
    """Where the types of the operands of an op in generic form stand."""
    start = colon(source, op) + 1
    opening = source.index("(", start)
    return split(source, opening + 1, closing(source, opening, 0))


def split(source: str, start: int, end: int) -> list[Span]:
    """What commas outside all brackets part between two offsets, each without the space around it."""
    commas = [start - 1]
    depth = 0
    for token in _TOKEN.finditer(source, start, end):
        word = token[0]
        depth += (word in "([{<") - (word in ")]}>")
        if depth == 0 and word == ",":
            commas.append(token.start())
    parts = [(first + 1, last) for first, last in pairwise([*commas, end])]
    spans = (Span(b - len(source[a:b].lstrip()), a + len(source[a:b].rstrip())) for a, b in parts)
    return [span for span in spans if span.start < span.end]


def result_types(source: str, op: Op) -> int:
    """Where the types of the results of an op in generic form begin."""
    types = operand_types(source, op)
    start = types[-1].end if types else source.index("(", colon(source, op))
    arrow = re.compile(r"[\s()]*->\s*").match(source, start)
    if arrow is None:
        raise FormRefused
    return arrow.end()


def colon(source: str, op: Op) -> int:
    """The colon before the types, outside all brackets."""
    depth = 0
    for token in _TOKEN.finditer(source, op.name_span.end, op.span.end):
        word = token[0]
        depth += (word in "([{<") - (word in ")]}>")
        if word == ":" and depth == 0:
            return token.start()
    raise FormRefused


@dataclass(slots=True)
class Operands:
    """Adds operands to ops in generic form, several to one if need be."""

    writer: Writer
    _more: dict[Op, dict[int, int]] = field(default_factory=dict[Op, dict[int, int]])

    def add(self, op: Op, before: int, name: str, type_: str) -> None:
        """One more operand behind the first `before` ones, in the segment that the last of these is in."""
        source = self.writer.text.source
        types = operand_types(source, op)
        if not 0 < before <= len(types) or len(types) != len(op.operands):
            raise FormRefused
        self.writer.insert(op.operands[before - 1].span.end, f", {name}")
        self.writer.insert(types[before - 1].end, f", {type_}")
        self.count(op, before - 1, 1)

    def count(self, op: Op, place: int, more: int) -> None:
        """So many operands come, or go, in the segment of the one at a place."""
        numbers = self._more.setdefault(op, {})
        numbers[place] = numbers.get(place, 0) + more

    def finish(self) -> None:
        """Write how many operands each segment has now."""
        source = self.writer.text.source
        for op, more in self._more.items():
            if "operandSegmentSizes" not in op.attributes:
                continue
            self._count(_SEGMENTS.search(source, op.name_span.end, op.span.end), more)
            if _CASES in op.attributes:  # the last segment has segments of its own
                cases = _CASE_SIZES.search(source, op.name_span.end, op.span.end)
                before = len(op.operands) - sum(_sizes(cases))
                self._count(cases, {place - before: n for place, n in more.items() if place >= before})

    def _count(self, found: re.Match[str] | None, more: dict[int, int]) -> None:
        """Raise the sizes in a list by how many operands came, by position before."""
        sizes = _sizes(found)
        ends = [sum(sizes[: place + 1]) for place in range(len(sizes))]
        for position, count in more.items():
            sizes[next(place for place, end in enumerate(ends) if position < end)] += count
        if more and found is not None:
            self.writer.replace(Span(*found.span(1)), " " + ", ".join(map(str, sizes)))


def _sizes(found: re.Match[str] | None) -> list[int]:
    if found is None:
        raise FormRefused
    return [int(number) for number in found[1].split(",") if number.strip()]
