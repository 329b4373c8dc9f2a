"""Texts that are checked one after the other, as what repairs make of one text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from memlane.checking import Checked, check_document
from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.fixes.edit_writer import difference
from memlane.query import Checker
from memlane.syntax import Document
from memlane.syntax.editing.piece import Piece
from memlane.text import Text


class Versions:
    """Checks texts one after the other, each as a version of the one before: functions that did not change are not
    analysed again, unless they call one that did.

    Args:
        config: what they are checked under.

    Attributes:
        read: characters of the parts of texts that were not in the version before.
    """

    def __init__(self, config: Config) -> None:
        self._config = config
        self._checker = Checker()
        self._document: Document | None = None
        self._checked: Checked | None = None
        self.read = 0

    def check(self, source: str) -> Checked:
        """All findings of `source`."""
        before, latest = self._document, self._checked
        if latest is not None and latest.text.source == source:
            return latest
        if before is None:
            document = Document(source, self._config.models)
        else:
            document = before.edit(_one_a_piece(before, difference(before.source, source)))
        known = set(before.pieces) if before is not None else set[Piece]()
        self.read += sum(piece.size for piece in document.pieces if piece not in known)
        self._checked = check_document(Text(source), document, self._checker, self._config)
        self._document = document
        return self._checked


def _one_a_piece(document: Document, edits: Iterable[Edit]) -> Iterator[Edit]:
    """The edits, those of one function as one, as each makes a function be read again. They come in text order."""
    source, starts = document.source, document.starts
    last: Edit | None = None
    for edit in edits:
        if last is not None and bisect_right(starts, last.span.end) >= bisect_right(starts, edit.span.start):
            between = source[last.span.end : edit.span.start]
            edit = Edit(Span(last.span.start, edit.span.end), last.content + between + edit.content)
        elif last is not None:
            yield last
        last = edit
    if last is not None:
        yield last
