"""A text, cut into pieces: what sections of a document read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate, chain

from memlane.syntax.editing.glue import Glue, Key
from memlane.syntax.editing.piece import Piece, Sort
from memlane.syntax.editing.pieces import CutPiece
from memlane.syntax.editing.strips import Portions
from memlane.syntax.names.scoping import Scoping


class CutText:
    """The pieces of a document, one after the other.

    Attributes:
        pieces, starts: each with where it starts.
        glue: what is known of statements outside functions from the version before.
    """

    def __init__(self, scoping: Scoping) -> None:
        self.scoping = scoping
        self.glue: Mapping[Key, Glue] = {}
        self.pieces: tuple[Piece, ...] = ()
        self.starts: list[int] = []
        self.size = self.farthest = 0

    def _set(self, cuts: Sequence[CutPiece]) -> None:
        self._cuts = cuts
        self.pieces = tuple([piece for piece, _ in cuts])
        ends = list(accumulate(piece.size for piece in self.pieces))
        self.size = ends[-1] if ends else 0
        self.starts = [0, *ends[:-1]] if ends else []
        self.farthest = max((reach for _, reach in cuts), default=0)

    @cached_property
    def largest(self) -> int:
        """Characters of its largest function with all that stands outside of functions: what is built for one place."""
        functions = [piece.size for piece in self.pieces if piece.sort == Sort.FUNCTION]
        return max(functions, default=0) + self.size - sum(functions)

    @cached_property
    def portions(self) -> Portions:
        """What it is made of, large functions strip by strip."""
        pieces = self.pieces
        if not any(piece.strips for piece in pieces):
            return Portions(pieces, self.starts)
        every = tuple(chain.from_iterable([piece.portions for piece in pieces]))
        return Portions(every, [0, *accumulate(portion.size for portion in every[:-1])])

    @cached_property
    def source(self) -> str:
        """The text."""
        return "".join(piece.text for piece in self.pieces)
