"""What is wrong with the blocks of a region: names that lead nowhere, definitions that do not dominate a use, and what
stands behind the last op."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memlane.findings import Span
from memlane.syntax.names.dominance import dominators
from memlane.syntax.names.frames import Frame, Met, defined_at
from memlane.syntax.names.unseen import Lost
from memlane.syntax.problems import Problem
from memlane.syntax.shapes.shape import OpShape
from memlane.syntax.shapes.suggest import Suggestions


class Ended(NamedTuple):
    """The op that has just ended a block: statement `number` of `text`."""

    text: Met
    number: int
    shape: OpShape

    @property
    def message(self) -> str:
        """What is wrong where another op follows."""
        lacks = "the name of its successor is missing" if self.shape.successors else "what follows is never executed"
        return f"'{self.shape.bare or self.shape.name}' must be the last operation of its block: {lacks}"

    @property
    def span(self) -> Span:
        """Where its name stands."""
        places = self.text.places(self.number)
        return Span(places.at(self.shape.name_start), places.at(self.shape.name_end))


def lost_branches(frame: Frame, suggestions: Suggestions) -> Iterator[Lost]:
    """The branches of a region that has been read that lead nowhere."""
    for _, name, text, number, slot in frame.edges:
        if name not in frame.labels:
            yield Lost(name, text.span(number, slot), suggestions.name(name, frame.labels))


def block_problems(frame: Frame, texts: Sequence[Met], graph: bool) -> Iterator[Problem]:
    """The problems of a region that has been read from `texts`. `graph`: its operations stand in no order."""
    edges: list[tuple[int, int]] = []
    for block, name, _, _, _ in frame.edges:
        known = frame.labels.get(name)
        if known is not None:
            edges.append((block.number, known[0].number))
    checks = [check for check in frame.checks if check[0].number or check[0] is check[1]]  # the entry dominates all
    if not checks or graph:
        return
    dominates = dominators(frame.blocks, edges)
    for definer, user, use in checks:  # in a block that is never reached all is allowed: none dominates others
        early = definer is user
        if dominates(frame.blocks if early else definer.number, user.number):
            continue
        message = "used before it is defined" if early else "not defined on every path to this use"
        notes = (("defined here", defined_at(texts, use.links[use.entry])),)
        yield Problem("undefined-value", f"'{use.name}' is {message}", use.span, notes)
