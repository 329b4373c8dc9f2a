"""The braces of regions, and how far the lines are indented in which they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memlane.syntax.lines.statements import Leaf
from memlane.syntax.shapes.holes import Places, clean
from memlane.syntax.shapes.shape import Close, Open

Key = tuple[int, int, int]
"""A leaf, a statement of it, and an event of that."""


class Brace(NamedTuple):
    """Event `position` of statement `statement` of leaf `leaf`.

    Args:
        indent: of the line that the statement starts with if it opens, else of the line that it stands in.
        leads: it closes, at the start of its line.
    """

    leaf: int
    statement: int
    position: int
    indent: int
    opens: bool
    leads: bool

    @property
    def key(self) -> Key:
        """Which one it is."""
        return self[:3]


def braces_of(leaves: Sequence[Leaf]) -> Iterator[Brace]:
    """The braces of regions, in text order."""
    for at, leaf in enumerate(leaves):
        cleaned, statements = clean(leaf.text), leaf.statements
        ends = [*statements.starts[1:], len(cleaned)]
        for number, (template, start) in enumerate(zip(statements.templates, statements.starts, strict=True)):
            if not any(isinstance(event, (Open, Close)) for event in template.events):
                continue
            places, line = Places(cleaned, start, ends[number], 0), _Line(cleaned, start)
            indent = line.indent_at(start)
            for position, event in enumerate(template.events):
                if isinstance(event, Open):
                    yield Brace(at, number, position, indent, opens=True, leads=False)
                elif isinstance(event, Close):
                    place = places.at(event.start)
                    line = line if place <= line.end else _Line(cleaned, place)
                    yield Brace(at, number, position, line.indent_at(place), opens=False, leads=place <= line.first)


class _Line:
    """The line of a text that `at` is in: where it ends, and its first character that is no space."""

    __slots__ = ("_start", "end", "first")

    def __init__(self, text: str, at: int) -> None:
        self._start = text.rfind("\n", 0, at) + 1
        end = text.find("\n", at)
        self.end = end if end >= 0 else len(text)
        line = text[self._start : self.end]
        self.first = self._start + len(line) - len(line.lstrip())

    def indent_at(self, at: int) -> int:
        """How far it is indented, looked at up to `at`."""
        return min(at, self.first) - self._start


def indent_at(text: str, at: int) -> tuple[int, bool]:
    """How far the line of `at` is indented, and whether nothing stands before `at` in it."""
    line = _Line(text, at)
    return line.indent_at(at), at <= line.first
