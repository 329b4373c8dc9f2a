"""What was found in a piece, kept as it was when it was found."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from memlane.findings import Finding
from memlane.parts import Memory, order, spans
from memlane.syntax import Document
from memlane.syntax.editing.pieces import Piece


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
        inside and not any(finding.rule.once for finding in kept),
    )


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
