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
            places = Places(cleaned, start, ends[number], 0)
            indent = indent_at(cleaned, start)[0]
            for position, event in enumerate(template.events):
                if isinstance(event, Open):
                    yield Brace(at, number, position, indent, opens=True, leads=False)
                elif isinstance(event, Close):
                    own, leads = indent_at(cleaned, places.at(event.start))
                    yield Brace(at, number, position, own, opens=False, leads=leads)


def indent_at(text: str, at: int) -> tuple[int, bool]:
    """How far the line of `at` is indented, and whether nothing stands before `at` in it."""
    start = text.rfind("\n", 0, at) + 1
    before = text[start:at]
    return len(before) - len(before.lstrip()), not before.strip()
