"""What stands outside functions, with its names resolved: the same in the next version, where no edit touched it."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memlane.findings import Span
from memlane.syntax.lines.statements import Leaf
from memlane.syntax.names.frames import Resolved
from memlane.syntax.tree.aliases import Aliases

if TYPE_CHECKING:
    from memlane.syntax.editing.piece import Piece

Key = tuple[tuple["Piece", ...], tuple[bool, ...]]
"""The pieces outside functions of a section; and of each, and of the section's end, whether functions stand between it
and what comes before it. Nothing else decides what is known of them, but for where they stand."""


@dataclass(frozen=True, slots=True, eq=False)
class Glue:
    """The pieces outside functions of a section.

    Args:
        starts: where each stood.
        leaves: what each holds. `links`: where its names are defined.
        resolved: what else is known of names. Spans are those of the document.
        aliases: what those stand for that it defines.
    """

    starts: tuple[int, ...]
    leaves: tuple[Leaf, ...]
    links: tuple[array[int], ...]
    resolved: Resolved
    aliases: Aliases

    @property
    def movable(self) -> bool:
        """Whether `moved` can be asked for: nothing is wrong."""
        return not self.resolved.problems and not self.resolved.others

    def moved(self, starts: tuple[int, ...]) -> Glue:
        """The same, where each piece stands somewhere else."""
        if starts == self.starts:
            return self
        distances = [now - before for before, now in zip(self.starts, starts, strict=True)]
        references: list[tuple[str, Span]] = []
        for name, (first, last) in self.resolved.references:
            distance = distances[bisect_right(self.starts, first) - 1]
            references.append((name, Span(first + distance, last + distance)))
        resolved = Resolved((), self.resolved.symbols, tuple(references))
        return replace(self, starts=starts, resolved=resolved)
