"""The statements of a piece of text, packed: what every statement costs to keep. A leaf: some lines of a piece."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memlane.syntax.shapes.shape import Template


@dataclass(frozen=True, eq=False)
class Statements:
    """Statements, packed: offsets and numbers of first names relative to their leaf (or piece).

    Args:
        pops: regions that a closing brace closes where it is not one: by statement and event; 0 for a stray brace. With
            `BEFORE` for an event: how many end before the statement, as nothing has closed them.
    """

    __slots__ = ("__weakref__", "names", "pops", "starts", "templates")

    templates: tuple[Template, ...]
    starts: array[int]
    names: array[int]
    pops: Mapping[tuple[int, int], int]


BEFORE = -1
NO_POPS: Mapping[tuple[int, int], int] = {}
NO_OPERAND = -2
NO_STATEMENTS = Statements((), array("i"), array("i"), NO_POPS)


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """Whole statements of a piece, one after the other; the text is `source[start:end]` of what was read.

    Args:
        count: names in it.
        links: for each use, in text order, the number of the definition that is meant, -1 if undefined, `NO_OPERAND`
            where what mentions the name is no op.
            Definitions are counted in text order through the piece. Empty outside functions. The resolver fills it
            in; it is made here, as it stays and what the resolver needs meanwhile does not.
    """

    source: str = field(repr=False)
    start: int
    end: int
    statements: Statements
    count: int
    links: array[int]

    def same(self, other: Leaf) -> bool:
        """Whether both, of the same text, say the same."""
        one, two = self.statements, other.statements
        return (one.starts, one.pops, one.templates) == (two.starts, two.pops, two.templates)

    @property
    def text(self) -> str:
        """Its text."""
        return self.source[self.start : self.end]


def small(numbers: list[int]) -> array[int]:
    """Numbers that do not fall, in as little room as may be."""
    return array("H" if not numbers or numbers[-1] < 65_536 else "i", numbers)


def no_links(statements: Statements) -> array[int]:
    """An entry of -1 for each use."""
    return array("i", (-1,)) * sum([template.uses for template in statements.templates])


NO_LEAF = Leaf("", 0, 0, NO_STATEMENTS, 0, array("i"))


def joined(leaves: Sequence[Leaf]) -> Statements:
    """The statements of all `leaves`, relative to the first."""
    if len(leaves) == 1:
        return leaves[0].statements
    templates: list[Template] = []
    starts, names = array("i"), array("i")
    pops: dict[tuple[int, int], int] = {}
    offset = name = 0
    for leaf in leaves:
        one = leaf.statements
        pops.update(((number + len(templates), position), count) for (number, position), count in one.pops.items())
        templates.extend(one.templates)
        starts.extend([start + offset for start in one.starts])
        names.extend([first + name for first in one.names])
        offset += leaf.end - leaf.start
        name += leaf.count
    return Statements(tuple(templates), starts, names, pops or NO_POPS)


def unlike(old: Sequence[Leaf], new: Sequence[Leaf], more: int = 1) -> tuple[int, Sequence[Leaf], Sequence[Leaf]]:
    """The leaves that are not read from the same text, with so many more at either side; and where they begin."""
    most = min(len(old), len(new))
    head = next((number for number in range(most) if not _read_once(old[number], new[number])), most)
    rest = range(1, most - head + 1)
    tail = next((number - 1 for number in rest if not _read_once(old[-number], new[-number])), most - head)
    first, tail = max(0, head - more), max(0, tail - more)
    at = sum(leaf.end - leaf.start for leaf in old[:first])
    return at, old[first : len(old) - tail], new[first : len(new) - tail]


def _read_once(one: Leaf, other: Leaf) -> bool:
    """Whether two leaves have the same text and say the same, as they come from one reading."""
    return one.statements is other.statements and one.source is other.source and one.start == other.start
