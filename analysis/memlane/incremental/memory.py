"""What was found in a piece, kept as it was when it was found."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping

from memlane.findings import Finding
from memlane.incremental.respaced import Respaced
from memlane.parts import Memory, order, spans
from memlane.syntax import Document
from memlane.syntax.editing.pieces import Piece

MOST = 12
"""Parts of pieces that findings are told by."""


def remember(document: Document, piece: Piece, findings: Iterable[Finding]) -> Memory:
    """Findings of one piece of `document`, to be moved with it."""
    kept = tuple(sorted(findings, key=order))
    owners = sorted(_owners(document, kept))
    own = next((document.starts[number] for number in owners if document.pieces[number] is piece), 0)
    inside = all(own <= finding.report.span.start < own + piece.size for finding in kept)
    return Memory(
        kept,
        tuple(document.pieces[number] for number in owners),
        tuple(document.starts[number] for number in owners),
        (0,) * len(owners),
        inside and not any(finding.rule.once for finding in kept),
    )


def respaced(memory: Memory, before: Piece, piece: Piece, by: Respaced, at: Mapping[Piece, int]) -> Memory:
    """The same findings where `piece` is in place of `before`, which stand in other places there.

    Args:
        at: where the pieces stand now.
    """
    owners: list[Piece] = []
    starts: list[int] = []
    offsets: list[int] = []
    last = len(memory.owners) - 1
    for number, (owner, start, offset) in enumerate(zip(memory.owners, memory.starts, memory.offsets, strict=True)):
        here = owner is before
        owners.append(piece if here else owner)
        starts.append(start)
        offsets.append(by.place(offset) if here else offset)
        stop = memory.starts[number + 1] if number < last and memory.owners[number + 1] is owner else None
        split = start + by.at - offset
        if here and start < split and (stop is None or split < stop):
            owners.append(piece)
            starts.append(split)
            offsets.append(by.at + by.further)
    found = Memory(memory.findings, tuple(owners), tuple(starts), tuple(offsets), memory.plain)
    return found if len(owners) <= MOST else _together(found, at)


def _together(memory: Memory, at: Mapping[Piece, int]) -> Memory:
    """The same with each piece once, in the places of now."""
    owners = tuple(dict.fromkeys(memory.owners))
    starts = tuple([at[owner] for owner in owners])
    return Memory(memory.part(at).placed(), owners, starts, (0,) * len(owners), memory.plain)


def _owners(document: Document, findings: Iterable[Finding]) -> set[int]:
    """The numbers of the pieces in which spans of findings begin."""
    starts = document.starts
    numbers: set[int] = set()
    begin = end = 0  # of the piece of the last one: most are in the same
    for finding in findings:
        for span in spans(finding):
            if not begin <= span.start < end:
                number = bisect_right(starts, span.start) - 1
                numbers.add(number)
                begin = starts[number]
                end = starts[number + 1] if number + 1 < len(starts) else document.size
    return numbers
