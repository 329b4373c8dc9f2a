"""The whole ops around statements that are different: what can be put in place of what, with all that is in them."""

from __future__ import annotations

from memlane.syntax.lines.statements import BEFORE, Statements
from memlane.syntax.shapes.shape import Close, Label, Open, OpShape, Template

Range = tuple[int, int]
"""Numbers of statements: the first, and the one after the last."""


class Enclosing:
    """Statements in a row, of one version and of another, as many as it takes that they are whole ops of one block, and
    that another op of that block follows.

    Args:
        old, new: statements of both versions.
        first: how many are the same at the beginning. `last`: at the end.
        least: so many at the beginning are never taken.

    Attributes:
        gone, come: those; None where there are none among the statements, or where regions are opened or closed in
            the one version and not in the other.
    """

    def __init__(self, old: Statements, new: Statements, first: int, last: int, least: int) -> None:
        self._old, self._new = old, new
        self._sizes = len(old.templates), len(new.templates)
        self._first, self._last, self._least = first, last, least
        self._blocks = False
        self._depth, self._lowest = _levels(old, range(first, self._sizes[0] - last))
        depth, lowest = _levels(new, range(first, self._sizes[1] - last))
        self._lowest = min(self._lowest, lowest)
        found = depth == self._depth and self._extend()
        self.gone = range(self._first, self._sizes[0] - self._last) if found else None
        self.come = range(self._first, self._sizes[1] - self._last) if found else None

    def _extend(self) -> bool:
        """Take more until it is enough; whether that was possible."""
        while True:
            if self._lowest < 0 or not self._begins():
                if self._first <= self._least:
                    return False
                self._back()
            elif not self._last:
                return False
            elif self._depth or self._blocks or not self._whole():
                self._on()
            else:
                return True

    def _begins(self) -> bool:
        """Whether an op begins in both versions, where there is anything."""
        ends = zip((self._old, self._new), self._sizes, strict=True)
        return all(op_begins(those, self._first) for those, size in ends if self._first < size - self._last)

    def _whole(self) -> bool:
        """Whether another op of the block follows, and no block label or brace is among them."""
        if not op_begins(self._old, self._sizes[0] - self._last):
            return False
        ends = zip((self._old, self._new), self._sizes, strict=True)
        self._blocks = not all(straight(those, range(self._first, size - self._last)) for those, size in ends)
        return not self._blocks

    def _back(self) -> None:
        self._blocks = False
        self._first -= 1
        depth, lowest = _level(self._old, self._first)
        self._lowest = min(lowest, depth + self._lowest)
        self._depth += depth

    def _on(self) -> None:
        depth, lowest = _level(self._old, self._sizes[0] - self._last)
        self._last -= 1
        self._lowest = min(self._lowest, self._depth + lowest)
        self._depth += depth


def _levels(statements: Statements, those: range) -> tuple[int, int]:
    """How many regions are open more behind some statements than before, and the least on the way."""
    depth = lowest = 0
    for number in those:
        more, least = _level(statements, number)
        lowest = min(lowest, depth + least)
        depth += more
    return depth, lowest


def _level(statements: Statements, number: int) -> tuple[int, int]:
    """The same of one statement."""
    template, pops = statements.templates[number], statements.pops
    if not pops:
        return template.depth, template.lowest
    depth = lowest = -pops.get((number, BEFORE), 0)
    for position, event in enumerate(template.events):
        if isinstance(event, Open):
            depth += 1
        elif isinstance(event, Close):
            depth -= pops.get((number, position), 1)
            lowest = min(lowest, depth)
    return depth, lowest


def op_begins(statements: Statements, number: int) -> bool:
    """Whether a statement begins with an op of the block that what stands before it is in."""
    return begins_an_op(statements.templates[number]) and (number, BEFORE) not in statements.pops


def begins_an_op(template: Template) -> bool:
    """Whether what a statement says first is an op: not a label, and not the end of a region."""
    return bool(template.events) and isinstance(template.events[0], OpShape)


def straight(statements: Statements, those: range) -> bool:
    """Whether statements, whole ops of a block, neither lead to other blocks nor stand in several."""
    depth = 0
    for number in those:
        depth -= statements.pops.get((number, BEFORE), 0)
        for position, event in enumerate(statements.templates[number].events):
            if isinstance(event, Open):
                depth += 1
            elif isinstance(event, Close):
                depth -= statements.pops.get((number, position), 1)
            elif not depth and (isinstance(event, Label) or (isinstance(event, OpShape) and event.ends)):
                return False
    return True
