"""The portions of a document, which stay what they are while others are edited: pieces, and the leaves of large ones.

A function of 100,000 lines is one piece, and a new one after each edit; most of its strips are the same objects.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from memlane.syntax.editing.limits import MAX_PORTION_LEAVES
from memlane.syntax.lines.statements import Leaf


class Portion(Protocol):
    """A piece, or a strip of one; compared by identity."""

    size: int

    @property
    def text(self) -> str:
        """Its text. Put together at each call."""
        ...

    @property
    def whole_lines(self) -> bool:
        """Whether it ends where a line does."""
        ...


class Portions(NamedTuple):
    """The portions of a document in text order, and where each begins."""

    every: Sequence[Portion]
    starts: list[int]


class Strip:
    """The text of one leaf of a function, `source[start:start + size]`; another leaf with the same text is the same."""

    __slots__ = ("__weakref__", "_source", "_start", "size")

    def __init__(self, leaf: Leaf) -> None:
        self._source = leaf.source
        self._start = leaf.start
        self.size = leaf.end - leaf.start

    @property
    def text(self) -> str:
        """Its text."""
        return self._source[self._start : self._start + self.size]

    @property
    def whole_lines(self) -> bool:
        """Whether it ends where a line does."""
        return self._source.endswith(("\n", "\r"), self._start, self._start + self.size)

    def of(self, leaf: Leaf) -> bool:
        """Whether it is that of a leaf, whose names may be other ones."""
        return self._source is leaf.source and self._start == leaf.start and self.size == leaf.end - leaf.start


def strips_of(leaves: Sequence[Leaf], before: Sequence[Strip] = ()) -> tuple[Strip, ...]:
    """The strips of a function; none where it is small, or where a leaf ends within a line.

    Args:
        before: those of the version before: they stay the same objects at its start and its end.
    """
    if len(leaves) <= MAX_PORTION_LEAVES or not all(map(_whole, leaves[:-1])):
        return ()
    most = min(len(leaves), len(before))
    head = next((number for number in range(most) if not before[number].of(leaves[number])), most)
    rest = range(1, most - head + 1)
    tail = next((number - 1 for number in rest if not before[-number].of(leaves[-number])), most - head)
    fresh = map(Strip, leaves[head : len(leaves) - tail])
    return (*before[:head], *fresh, *before[len(before) - tail :])


def _whole(leaf: Leaf) -> bool:
    return leaf.source.endswith(("\n", "\r"), leaf.start, leaf.end)
