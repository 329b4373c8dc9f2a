"""Where the sections of a document begin: at `// -----` lines, as `--split-input-file` has it.

Without that option such a line is a comment. It is one here inside a module that is open before it and closed behind
it: with the option, neither half could be read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memlane.syntax.editing.piece import Piece, Sort, title_of


class _Braces(NamedTuple):
    """Regions outside functions that are opened, less those that are closed; and the least of it on the way."""

    depth: int
    lowest: int


def borders(pieces: Sequence[Piece]) -> Iterator[int]:
    """The numbers of the pieces that begin a section, the first of a document left out."""
    found = [number for number, piece in enumerate(pieces) if piece.sort == Sort.SEPARATOR]
    if not found:
        return
    braces = [_braces(pieces[a + 1 : b]) for a, b in zip([-1, *found], [*found, len(pieces)], strict=True)]
    at = 0
    while at < len(found):
        last = _closing(braces, at)
        if last is not None and not any(map(_of_dump, (pieces[number] for number in found[at:last]))):
            at = last
            continue
        yield found[at]
        at += 1


def _closing(braces: Sequence[_Braces], at: int) -> int | None:
    """The section that closes what section `at` leaves open, and nothing else; None where none does."""
    depth = braces[at].depth
    if depth <= 0 or braces[at].lowest < 0:
        return None
    for number in range(at + 1, len(braces)):
        if depth + braces[number].lowest < 0 or braces[number].depth > 0:
            return None
        depth += braces[number].depth
        if not depth:
            return number
    return None


def _braces(pieces: Sequence[Piece]) -> _Braces:
    depth = lowest = 0
    for piece in pieces:
        if piece.sort is Sort.GLUE:
            for template in piece.statements.templates:
                lowest = min(lowest, depth + template.lowest)
                depth += template.depth
    return _Braces(depth, lowest)


def _of_dump(piece: Piece) -> bool:
    """Whether a separator is the header of a pass's dump: those are programs of their own, however they were cut."""
    return title_of(piece).startswith("// -----//")
