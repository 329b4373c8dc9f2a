"""The statements of a piece of text, packed: what every statement costs to keep."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass

from memlane.syntax.shape import Template


@dataclass(frozen=True, slots=True)
class Statements:
    """Statements, packed: offsets and numbers of first names relative to their piece.

    Args:
        pops: regions that a closing brace closes where it is not one: by statement and event; 0 for a stray brace.
    """

    templates: tuple[Template, ...]
    starts: array[int]
    names: array[int]
    pops: Mapping[tuple[int, int], int]

    def same(self, other: Statements) -> bool:
        """Whether both say the same."""
        return (
            self.starts == other.starts
            and self.names == other.names
            and self.pops == other.pops
            and [template.events for template in self.templates] == [template.events for template in other.templates]
        )


NO_POPS: Mapping[tuple[int, int], int] = {}
NO_STATEMENTS = Statements((), array("i"), array("i"), NO_POPS)


def pack(
    statements: list[tuple[int, int, Template]], start: int, first: int, pops: Mapping[tuple[int, int], int]
) -> Statements:
    """Statements with offsets from `start` and names counted from `first`."""
    return Statements(
        tuple([statement[2] for statement in statements]),
        array("i", [statement[0] - start for statement in statements]),
        array("i", [statement[1] - first for statement in statements]),
        pops,
    )
