"""Which statements of a function are enough to say something of a name in it, and of the memory that it names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import NamedTuple

from memlane.flow.control.requested import MOST
from memlane.ide.related import Related
from memlane.syntax.editing.sparse import Outline

MOST_COMPARED = 32
"""Uses of a name that tell which memory it names: other memory that all of them name is looked at, too."""


class Chosen(NamedTuple):
    """Statements of a function by their numbers.

    Args:
        explained: those of which it is needed as well what defines what they use.
        memory: they are enough to say something of memory.
    """

    needed: frozenset[int]
    explained: frozenset[int]
    memory: bool

    def covers(self, other: Chosen) -> bool:
        """Whether they are enough where others are."""
        enough = self.memory or not other.memory
        return enough and other.needed <= self.needed and other.explained <= self.explained


Choose = Callable[[Outline, int, "Related | None"], "Chosen | None"]
"""What is enough for an offset; None where that is not known, as is what the function notes of its memory."""


def just_named(outline: Outline, offset: int, _: Related | None) -> Chosen:
    """What is named at an offset."""
    here = frozenset((outline.at(offset), *map(outline.defining, outline.named(offset))))
    return Chosen(here, frozenset(), memory=False)


def memory(uses: int | None) -> Choose:
    """What becomes of the memory that is named at an offset.

    Args:
        uses: of those that just read or write the memory, so many behind the offset are enough; None: all.
    """

    def choose(outline: Outline, offset: int, note: Related | None) -> Chosen | None:
        here, named = outline.at(offset), outline.named(offset)
        needed = {here, *map(outline.defining, named)}
        explained = frozenset(outline.behind(needed, MOST))
        if not named:
            return Chosen(frozenset(needed), frozenset(), memory=True)
        compared = islice((use for one in named for use in outline.uses(one)), MOST_COMPARED)
        ops = outline.beginning({*needed, *compared})
        if note is None or not ops:
            return None
        telling, plain = (set(map(outline.statement, places)) for places in note.of(ops))
        needed |= telling
        if uses is None:
            needed |= plain
            needed.update(use for one in outline.named(offset, pack=True) for use in outline.uses(one))
        else:
            needed |= _near(outline, here, plain, uses)
        return Chosen(
            frozenset(needed), explained.union(one for one in telling if not outline.is_plain(one)), memory=True
        )

    return choose


def _near(outline: Outline, here: int, plain: Iterable[int], uses: int) -> set[int]:
    """So many statements behind one, those in other branches not counted."""
    return {one for start in outline.heading(here) for one in outline.following(start, plain, uses)}
