"""One place of a program is damaged, as in the middle of typing: what else loses its facts?"""

from __future__ import annotations

import random
from typing import NamedTuple

from memlane.findings import Edit, Span
from memlane.syntax import Document
from memlane.syntax.pieces import Sort


class Damage(NamedTuple):
    """What one edit did.

    Args:
        lost: functions other than the damaged one that are not read as before.
        outside: problems outside the damaged function (or statement, where it is in none).
    """

    edit: Edit
    lost: int
    outside: list[str]


def half_typed(source: str, chooser: random.Random) -> Edit:
    """Delete from a random place to the end of its line, or insert a random bracket."""
    at = chooser.randrange(len(source) + 1)
    if chooser.random() < 0.5:
        end = source.find("\n", at)
        return Edit(Span(at, len(source) if end < 0 else end), "")
    return Edit(Span(at, at), chooser.choice("()[]{}<>"))


def damage(document: Document, edit: Edit) -> Damage:
    """Make the edit and look at everything else. References to symbols of what is damaged count as damaged."""
    after = document.edit([edit])
    touched = {
        number
        for number, piece in enumerate(document.pieces)
        if document.starts[number] <= edit.span.end and edit.span.start <= document.starts[number] + len(piece.text)
    }
    kept = {id(piece) for piece in after.pieces}
    texts = {piece.text.rstrip() for piece in after.pieces}
    lost = sum(
        1
        for number, piece in enumerate(document.pieces)
        if number not in touched and piece.sort == Sort.FUNCTION
        and id(piece) not in kept and not any(text.startswith(piece.text.rstrip()) for text in texts)
    )  # fmt: skip
    old = {id(piece) for piece in document.pieces}
    fresh = [
        Span(start, start + len(piece.text) + 1)
        for piece, start in zip(after.pieces, after.starts, strict=True)
        if id(piece) not in old
    ]
    outside = [
        problem.message
        for problem in after.tree.problems
        if problem.rule != "undefined-symbol"
        and not any(span.start <= problem.span.start <= span.end for span in fresh)
    ]
    return Damage(edit, lost, outside)
