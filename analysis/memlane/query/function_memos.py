"""What following the buffers of each function of a section gave, to be recalled after an edit."""

from __future__ import annotations

from collections.abc import Collection

from memlane.flow import FunctionFlow, Program
from memlane.flow.memo.exploration_memo import Recall
from memlane.flow.memo.memo_entry import MemoVersion
from memlane.flow.scalars.dealloc_helper import HELPER
from memlane.flow.slicing.hidden_dependences import hides
from memlane.query.changes import changed
from memlane.syntax.editing.piece import Piece


class Recalls:
    """By the name of the function: its last piece, and what is known of it."""

    def __init__(self, known: dict[str, tuple[Piece, MemoVersion]] | None = None) -> None:
        self._known = known or {}

    def copy(self) -> Recalls:
        """The same, to be kept while this changes."""
        return Recalls({**self._known})

    def piece(self, name: str) -> Piece | None:
        """The last piece of the function of that name, where anything is known of it."""
        return self._known[name][0] if name in self._known else None

    def open(
        self,
        piece: Piece,
        at: int,
        flow: FunctionFlow,
        program: Program,
        known: Collection[str],
        ending: Collection[str],
    ) -> Recall | None:
        """What is known of a function; None where nothing can be kept.

        In functions with lowered deallocations flags stand for what was stored somewhere, and in those with slots what
        is loaded does: no op uses what decides.

        Args:
            piece: its piece, which stands `at`.
            known: the names it mentions of which models say what external functions of that name do.
            ending: those of functions that never come back.
        """
        if any(program.models.functions[name].compute == HELPER for name in known) or hides(flow.graph):
            return None
        before, remembered = self._known.get(flow.name, (None, None))
        change = changed(before, piece, at) if before is not None else None
        return Recall(program, flow, remembered, change, (*((name, program.defines(name)) for name in known), *ending))

    def keep(self, piece: Piece, name: str, recall: Recall | None) -> None:
        """The function has been analysed with what `open` gave."""
        if recall is None:
            self._known.pop(name, None)
        else:
            self._known[name] = piece, recall.remembered()

    def respace(self, name: str, before: Piece, piece: Piece) -> None:
        """The function of that name, whose piece was `before`, is `piece` now, which has the same ops."""
        if self.piece(name) is before:
            self._known[name] = piece, self._known[name][1]

    def forget(self, name: str) -> None:
        """There is no function of that name any more, or its text means something else."""
        self._known.pop(name, None)
