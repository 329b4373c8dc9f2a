"""What was known of a section a few versions ago: an edit that is taken back costs no analysis.

What is known is put back as it was, not found to be the same: a version is copied when the next is checked, and what
changes in place after that is noted, to be undone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memlane.flow.interproc.function import Passed
from memlane.query.findings_store import FindingsMemory
from memlane.query.function_memos import Recalls
from memlane.query.limits import MAX_VERSIONS
from memlane.query.summary_cache import Interface, PlaceCell
from memlane.syntax.editing.limits import MAX_PAST_TEXT
from memlane.syntax.editing.piece import Piece
from memlane.syntax.editing.strips import Portion

_Passes = dict[str, tuple[Passed, ...]]
_State = tuple[Interface, int, Mapping[Callable[..., Any], Any], _Passes | None, bool]
_Home = tuple[PlaceCell, Piece, int, int, int]


@dataclass(slots=True, eq=False)
class Version:
    """What was known when all of a section had been checked.

    Args:
        pieces: of the section.
        size: characters of those that the next version did not have.
        states, homes: what has changed in place since, as it was, oldest first.
    """

    pieces: Sequence[Piece]
    memories: dict[Portion, tuple[FindingsMemory, ...]]
    interfaces: dict[Piece, Interface]
    recalls: Recalls
    size: int
    states: list[_State] = field(default_factory=list[_State])
    homes: list[_Home] = field(default_factory=list[_Home])

    def undo(self) -> None:
        """Let what has changed in place be as it was."""
        for interface, count, derived, passes, complete in reversed(self.states):
            for key in [*interface.answers][count:]:
                del interface.answers[key]
            interface.derived, interface.passes, interface.complete = derived, passes, complete
        for cell, piece, start, offset, size in reversed(self.homes):
            cell.piece, cell.start, cell.offset, cell.size = piece, start, offset, size


class VersionCache:
    """The last versions of a section."""

    def __init__(self) -> None:
        self._versions: list[Version] = []

    def add(self, version: Version) -> None:
        """One more: the version that is known now, which is left for another."""
        self._versions.append(version)
        while len(self._versions) > 1 and (
            len(self._versions) > MAX_VERSIONS or sum(one.size for one in self._versions) > MAX_PAST_TEXT
        ):
            del self._versions[0]

    def back(self, pieces: Sequence[Piece]) -> Version | None:
        """The version that was made of `pieces`, as it was; None where none is kept. Later ones are forgotten."""
        for number in range(len(self._versions) - 1, -1, -1):
            if self._versions[number].pieces == pieces:
                later = self._versions[number:]
                del self._versions[number:]
                for version in reversed(later):
                    version.undo()
                return later[0]
        return None

    def learning(self, interface: Interface) -> None:
        """More is about to be known of a function."""
        if self._versions:
            state = interface, len(interface.answers), interface.derived, interface.passes, interface.complete
            self._versions[-1].states.append(state)

    def moving(self, cells: Iterable[PlaceCell]) -> None:
        """Cells are about to be elsewhere."""
        if self._versions:
            self._versions[-1].homes += [(one, one.piece, one.start, one.offset, one.size) for one in cells]
