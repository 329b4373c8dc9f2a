"""What has been learned of lines and statements, by skeleton and by shape."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from memlane.syntax.lines.heads import next_head
from memlane.syntax.lines.limits import MAX_BARE_LINES
from memlane.syntax.lines.line import SEPARATOR, Kind, Line, learn
from memlane.syntax.shapes.holes import abstract, count_names
from memlane.syntax.shapes.insides import foreign, inside
from memlane.syntax.shapes.shape import Template
from memlane.syntax.shapes.statement import read
from memlane.syntax.shapes.tokens import Fault


class Memo:
    """What has been learned, by skeleton and by shape. Bounded: a table that is full starts afresh."""

    __slots__ = ("bare", "insides", "limit", "lines", "placed", "shapes", "statements", "templates")

    def __init__(self, limit: int = 200_000) -> None:
        self.lines: dict[str, Line] = {}
        self.bare: dict[str, Line] = {}
        self.placed: dict[tuple[Line, int], Line] = {}
        self.shapes: dict[str, Line] = {}
        self.statements: dict[str, Template] = {}
        self.templates: dict[str, Template] = {}
        self.insides: dict[tuple[str, str], str | None] = {}
        self.limit = limit

    def line(self, skeleton: str) -> Line:
        """What is known of a line that was not in `lines`."""
        bound(self.lines, self.limit)
        if SEPARATOR.match(skeleton):
            found = Line(Kind.SEPARATOR, 0, "", False, count_names(skeleton), True, False, None)
        else:
            text = skeleton.lstrip()
            found = self.bare.get(text)
            if found is None:
                cut = next_head(text)
                if cut:
                    return Line(Kind.START, 0, "", False, 0, False, False, None, cut + len(skeleton) - len(text))
                found = self.bare_line(text)
            if len(text) < len(skeleton):
                found = self.indented(found, len(skeleton) - len(text))
        self.lines[skeleton] = found
        return found

    def bare_line(self, text: str) -> Line:
        """What is known of a line without the space before it."""
        bound(self.bare, min(self.limit, MAX_BARE_LINES))
        shape, insides = abstract(text)
        found = self.shapes.get(shape)
        if found is None:
            bound(self.shapes, self.limit)
            found = self.shapes[shape] = learn(shape, self.template)
        if found.template is not None:
            faults = self.wrong(shape, insides)
            if faults:
                found = replace(found, template=_with_faults(found.template, faults))
        self.bare[text] = found
        return found

    def indented(self, line: Line, indent: int) -> Line:
        """The line with space before it: one object for all such."""
        found = self.placed.get((line, indent))
        if found is None:
            bound(self.placed, self.limit)
            found = self.placed[line, indent] = replace(line, indent=indent)
        return found

    def statement(self, skeleton: str) -> Template:
        """The template of a statement of several lines, without the space before it."""
        found = self.statements.get(skeleton)
        if found is None:
            bound(self.statements, self.limit)
            shape, insides = abstract(skeleton)
            found = self.template(shape)
            faults = self.wrong(shape, insides)
            if faults:
                found = _with_faults(found, faults)
            self.statements[skeleton] = found
        return found

    def wrong(self, shape: str, insides: list[tuple[str, str, int]]) -> list[Fault]:
        """Faults in the insides of types of a statement of some shape."""
        found: list[Fault] = []
        for word, text, offset in insides:
            key = (word, text)
            if key not in self.insides:
                bound(self.insides, self.limit)
                self.insides[key] = inside(word, text)
            message = self.insides[key]
            if message is not None and not foreign(shape, offset):
                found.append(Fault(message, offset, offset + 1))
        return found

    def template(self, shape: str) -> Template:
        """The template of a shape."""
        found = self.templates.get(shape)
        if found is None:
            bound(self.templates, self.limit)
            found = self.templates[shape] = read(shape)
        return found


def bound(table: dict[Any, Any], limit: int) -> None:
    """Let a table that is full start afresh."""
    if len(table) > limit:
        table.clear()


def _with_faults(template: Template, faults: list[Fault]) -> Template:
    return replace(template, faults=(*template.faults, *faults), single=None)
