"""The whole ops around statements that are different: what can be put in place of what, with all that is in them."""

from __future__ import annotations

from collections.abc import Sequence

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

    def __init__(self, old: Sequence[Template], new: Sequence[Template], first: int, last: int, least: int) -> None:
        self._old, self._new = old, new
        self._first, self._last, self._least = first, last, least
        self._blocks = False
        self._depth, self._lowest = _levels(old[first : len(old) - last])
        depth, lowest = _levels(new[first : len(new) - last])
        self._lowest = min(self._lowest, lowest)
        found = depth == self._depth and self._extend()
        self.gone = range(self._first, len(old) - self._last) if found else None
        self.come = range(self._first, len(new) - self._last) if found else None

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
        ends = (self._old, len(self._old) - self._last), (self._new, len(self._new) - self._last)
        return all(begins_an_op(those[self._first]) for those, end in ends if self._first < end)

    def _whole(self) -> bool:
        """Whether another op follows, and nothing that blocks are told from stands among them."""
        follows = self._old[len(self._old) - self._last]
        if not begins_an_op(follows):
            return False
        ends = (self._old, len(self._old) - self._last), (self._new, len(self._new) - self._last)
        self._blocks = not all(_straight(those[self._first : end]) for those, end in ends)
        return not self._blocks

    def _back(self) -> None:
        self._blocks = False
        self._first -= 1
        more = self._old[self._first]
        self._lowest = min(more.lowest, more.depth + self._lowest)
        self._depth += more.depth

    def _on(self) -> None:
        more = self._old[len(self._old) - self._last]
        self._last -= 1
        self._lowest = min(self._lowest, self._depth + more.lowest)
        self._depth += more.depth


def _levels(templates: Sequence[Template]) -> tuple[int, int]:
    """How many regions are open more behind some statements than before, and the least on the way."""
    depth = lowest = 0
    for template in templates:
        lowest = min(lowest, depth + template.lowest)
        depth += template.depth
    return depth, lowest


def begins_an_op(template: Template) -> bool:
    """Whether what a statement says first is an op: not a label, and not the end of a region."""
    return bool(template.events) and isinstance(template.events[0], OpShape)


def _straight(templates: Sequence[Template]) -> bool:
    """Whether ops, whole ones of a block, neither lead to other blocks nor stand in several."""
    depth = 0
    for event in (event for template in templates for event in template.events):
        if isinstance(event, Open):
            depth += 1
        elif isinstance(event, Close):
            depth -= 1
        elif not depth and (isinstance(event, Label) or (isinstance(event, OpShape) and event.ends)):
            return False
    return True
