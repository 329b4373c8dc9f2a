"""Which statements of a function are enough to say something of a name in it, and of the memory that it names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import NamedTuple

from memlane.flow.memory.limits import MAX_PRODUCT_STEPS
from memlane.ide.alias_index import Related, Shared
from memlane.ide.limits import MAX_USES_COMPARED
from memlane.syntax.editing.sparse import Outline


class SelectedStatements(NamedTuple):
    """Statements of a function by their numbers.

    Args:
        explained: those of which it is needed as well what defines what they use.
        memory: they are enough to say something of memory.
    """

    needed: frozenset[int]
    explained: frozenset[int]
    memory: bool

    def covers(self, other: SelectedStatements) -> bool:
        """Whether they are enough where others are."""
        enough = self.memory or not other.memory
        return enough and other.needed <= self.needed and other.explained <= self.explained


Choose = Callable[[Outline, int, "Related | None"], "SelectedStatements | None"]
"""What is enough for an offset; None where that is not known, as is what the function notes of its memory."""


def just_named(outline: Outline, offset: int, _: Related | None) -> SelectedStatements:
    """What is named at an offset."""
    here = frozenset((outline.at(offset), *map(outline.defining, outline.named(offset))))
    return SelectedStatements(here, frozenset(), memory=False)


def all_of_memory(outline: Outline, offset: int, note: Related | None) -> SelectedStatements | None:
    """What is named at an offset, and all that names its memory."""
    needed = {outline.at(offset), *map(outline.defining, outline.named(offset))}
    shared = _shared(outline, offset, note)
    if shared is None:
        return None
    needed = needed.union(*shared, (use for one in outline.named(offset, pack=True) for use in outline.uses(one)))
    return SelectedStatements(frozenset(needed), _with_regions(outline, shared.telling), memory=True)


def what_tells(outline: Outline, offset: int, note: Related | None) -> SelectedStatements | None:
    """The statements that describe the memory named at an offset: the same wherever the memory is named."""
    shared = _shared(outline, offset, note)
    if shared is None:
        return None
    needed = shared.telling.union((0,), map(outline.defining, outline.named(offset)))  # with the function itself
    return SelectedStatements(frozenset(needed), _with_regions(outline, shared.telling), memory=True)


def near(uses: int) -> Choose:
    """What is named at an offset, and of those that just read or write its memory so many behind it."""

    def choose(outline: Outline, offset: int, note: Related | None) -> SelectedStatements | None:
        here = outline.at(offset)
        needed = {here, *map(outline.defining, outline.named(offset))}
        shared = _shared(outline, offset, note)
        if shared is None:
            return None
        behind = {one for start in outline.heading(here) for one in outline.following(start, shared.plain, uses)}
        return SelectedStatements(
            frozenset(needed | behind), frozenset(outline.behind(needed, MAX_PRODUCT_STEPS) | behind), memory=True
        )

    return choose


def _shared(outline: Outline, offset: int, note: Related | None) -> Shared | None:
    """The statements that name the memory which is named at an offset; None where that is not known. A name of several
    values (`%a:2`) may name several memories, and other values."""
    named, found = outline.named(offset), Shared(set(), set())
    if note is None or not (named or outline.beginning([outline.at(offset)])):
        return None
    for one in named:
        compared = islice(outline.uses(one), MAX_USES_COMPARED)
        ops = outline.beginning({outline.at(offset), outline.defining(one), *compared})
        if not ops:
            return None
        for known, places in zip(found, note.of(ops), strict=True):
            known.update(map(outline.statement, places))
    return found


def _with_regions(outline: Outline, statements: Iterable[int]) -> frozenset[int]:
    """Those of which the conditions matter."""
    return frozenset([one for one in statements if not outline.is_plain(one)])
