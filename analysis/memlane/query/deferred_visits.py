"""Functions that have been checked, until they are visited: then their ops are kept or released.

What is found does not wait for that. Who edits in between gets the ops put right, unseen.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Protocol

from memlane.cancellation import Cancelled, poll
from memlane.findings import Finding
from memlane.flow import FunctionFlow, Program
from memlane.query.functions import Functions
from memlane.query.limits import MAX_CACHED_TEXT
from memlane.query.trivia_edit import Respaced
from memlane.syntax.editing.piece import Piece


class Visit(Protocol):
    """Sees functions."""

    def __call__(self, piece: Piece, flow: FunctionFlow, program: Program, found: Sequence[Finding], /) -> None:
        """The function of a piece, while its ops are there, and what is found in it."""
        ...

    def respaced(self, before: Piece, piece: Piece, by: Respaced) -> None:
        """The function of `before` is that of `piece` now, which was not analysed as it has the same ops."""
        ...


class Visits:
    """Those of one check.

    Args:
        functions: owned by this object from now on.
        visit: is called with each, while their ops exist; None: no visits.
        lasting: ops are kept for the next version. `size`: the characters of all that are checked. Where their ops
            are not kept and they are many, each is seen as soon as it has been checked.
    """

    def __init__(self, functions: Functions, visit: Visit | None, lasting: bool, size: int) -> None:
        self._functions = functions
        self._visit = visit
        self._lasting = lasting
        self._waiting: deque[tuple[Piece, Sequence[Finding]]] = deque()
        self._at_once = not lasting and size > MAX_CACHED_TEXT
        self._seen = False

    def add(self, piece: Piece, found: Sequence[Finding]) -> None:
        """A function has been checked."""
        if self._visit is None or not self._functions.is_function(piece):
            return
        self._waiting.append((piece, found))
        if self._at_once:
            self.work()

    @property
    def done(self) -> bool:
        """Whether no visits are left."""
        return not self._waiting

    def leave(self) -> None:
        """Skip the remaining visits."""
        self._waiting.clear()

    def trim(self) -> None:
        """Release ops once they are many. No references to them may remain."""
        if self._functions.many:
            self.work()
            self._functions.drop()

    def work(self) -> None:
        """Let them be seen. Raises `Cancelled`: the others can be seen later all the same."""
        while self._waiting and self._visit is not None:
            poll()
            piece, found = self._waiting.popleft()
            self._seen = True
            try:
                self._visit(piece, self._functions.of(piece), self._functions.program, found)
            except Cancelled:
                self._waiting.appendleft((piece, found))
                raise

    def end(self) -> None:
        """Store what visits computed, and keep or release the ops. No references to them may remain."""
        if self._seen:
            self._functions.keep()
        if self._lasting:
            self._functions.keep_ops()
        else:
            self._functions.drop()
