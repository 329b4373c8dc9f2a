"""The input of name resolution: the current statement, its names and places, and its problems."""

from __future__ import annotations

from collections.abc import Iterable

from memlane.findings import Span
from memlane.syntax.lines.statements import NO_LEAF
from memlane.syntax.names.frames import Met
from memlane.syntax.names.scoping import Scoping
from memlane.syntax.names.unseen import Unseen
from memlane.syntax.problems import Problem, Problems
from memlane.syntax.shapes.holes import NAME
from memlane.syntax.shapes.shape import Template
from memlane.syntax.shapes.suggest import Suggestions
from memlane.syntax.shapes.tokens import Fault


class LeafReading:
    """The leaf that is read, `number` of its statements and the first name of that; all that were read before.

    `last`: the last statement of the leaf before.
    """

    def __init__(self, scoping: Scoping) -> None:
        self.scoping = scoping
        self.problems = Problems()
        self.unseen = Unseen()
        self.suggestions = Suggestions()
        self.text = Met(NO_LEAF, 0, 0)
        self.texts: list[Met] = []
        self.last: Template | None = None
        self.names: list[str] = []
        self.number = self.first = 0

    def take(self, text: Met) -> list[str]:
        """Go on with another leaf; its names."""
        self.last = next(iter(self.text.leaf.statements.templates[-1:]), self.last)
        self.text = text
        self.texts.append(text)
        self.names = NAME.findall(text.cleaned)
        return self.names

    def before(self) -> Template | None:
        """The statement before the current one."""
        templates = self.text.leaf.statements.templates
        return templates[self.number - 1] if self.number else self.last

    def fault(self, fault: Fault) -> None:
        self.problem("syntax", fault.message, self.span(fault.start, fault.end), suggestion=fault.repair)

    def add(self, problems: Iterable[Problem]) -> None:
        """Some more problems."""
        for problem in problems:
            self.problems.add(problem)

    def problem(
        self,
        rule: str,
        message: str,
        span: Span,
        notes: tuple[tuple[str, Span], ...] = (),
        suggestion: str | None = None,
    ) -> None:
        self.problems.add(Problem(rule, message, span, notes, suggestion))

    def at(self, offset: int) -> int:
        return self.text.places(self.number).at(offset)

    def span(self, start: int, end: int) -> Span:
        places = self.text.places(self.number)
        return Span(places.at(start), max(places.at(end), places.at(start) + 1))

    def slot_span(self, slot: int) -> Span:
        return self.text.span(self.number, slot)
