"""The ops of the functions that were looked at last: put right after the next edit, where that is less work than to
build them again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memlane.flow.memo.function_memo import Standing
from memlane.query.changes import spliced
from memlane.query.limits import MAX_ASIDE_TEXT, MAX_CACHED_TEXT
from memlane.query.trivia_edit import Respaced
from memlane.syntax.editing.piece import Piece
from memlane.syntax.editing.splice import Built, move, respace, splice
from memlane.syntax.tree.tree import Block, take_apart


@dataclass(slots=True, eq=False)
class _FunctionVersion:
    """A function as it was: what its piece was, its ops, and what is known of them."""

    piece: Piece
    made: Built
    standing: Standing


class TreeCache:
    """By the names of functions their last versions: the ops of one are put right, so that it is another.

    What cannot be put right is kept aside, as it is often the edit that is taken back.
    """

    def __init__(self) -> None:
        self._known: dict[str, list[_FunctionVersion]] = {}

    def take(
        self, name: str, piece: Piece, before: Piece | None, at: int, around: tuple[Block | None, str]
    ) -> tuple[Built, Standing] | None:
        """The ops of a function, no longer kept, with what was known of them; None where none can be put right.

        Args:
            piece: what it is made of now, which stands `at`.
            before: what it was made of in the version before, where known.
            around: the block it stands in, and what a name without a dialect belongs to there.
        """
        known = [version for version in self._known.pop(name, ()) if version.made.dialect == around[1]]
        known.sort(key=lambda version: (version.piece is not piece, version.piece is not before))
        for version in known:
            if _brought(version, before) and _brought(version, piece):
                move(version.made, at)
                version.made.op.parent = around[0]
                return version.made, version.standing
        aside = 1 if piece.size <= MAX_ASIDE_TEXT else 0
        self._known[name] = known[:aside]
        _let_go(known[aside:])
        return None

    def forget(self, name: str) -> None:
        """The operations of the function of that name are others now, in whatever text."""
        _let_go(self._known.pop(name, ()))

    def respace(self, name: str, before: Piece, piece: Piece, by: Respaced) -> None:
        """The function of that name, whose piece was `before`, is `piece` now, which has the same ops."""
        for version in self._known.get(name, ()):
            if version.piece is before:
                respace(version.made, by.at, by.further)
                version.piece = piece

    def keep(self, built: Mapping[str, tuple[Piece, Built, Standing]]) -> None:
        """Keep the ops of functions, those named first before others, and all before those of earlier versions. No
        references to others may remain."""
        known: dict[str, list[_FunctionVersion]] = {}
        room = _Room()
        for name, (piece, made, standing) in built.items():
            aside = self._known.pop(name, [])
            if room.takes((piece,)):
                known[name] = [_FunctionVersion(piece, made, standing), *aside]
            else:
                take_apart(made.op)
                _let_go(aside)
        for name, versions in self._known.items():
            if room.takes([version.piece for version in versions]):
                known[name] = versions
            else:
                _let_go(versions)
        self._known = known


class _Room:
    """What may still be kept: so much of small functions, and one that is large."""

    def __init__(self) -> None:
        self._left = MAX_CACHED_TEXT
        self._large = False

    def takes(self, versions: Sequence[Piece]) -> bool:
        """Whether the versions of one more function may be; then they have taken their room."""
        if any(map(large, versions)):
            taken, self._large = self._large, True
            return not taken
        self._left -= sum(piece.size for piece in versions)
        return self._left >= 0


def large(piece: Piece) -> bool:
    """Whether building the ops of a function would delay typing noticeably."""
    return piece.size > MAX_CACHED_TEXT


def _let_go(versions: Iterable[_FunctionVersion]) -> None:
    for version in versions:
        take_apart(version.made.op)


def _brought(version: _FunctionVersion, piece: Piece | None) -> bool:
    """Let the ops of a version be those of `piece` (None: as they are); whether that can be done."""
    if piece is None or piece is version.piece:
        return True
    change = spliced(version.piece, piece)
    done = splice(version.made, change) if change is not None else None
    if done is None:
        return False
    version.standing.edited(done)
    version.piece = piece
    return True
