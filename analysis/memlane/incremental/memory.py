"""What was found in a piece, kept as it was when it was found."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from memlane.findings import Finding, Span
from memlane.parts import Memory, moved, order
from memlane.syntax import Document
from memlane.syntax.editing.pieces import Piece


def remember(document: Document, piece: Piece, findings: Iterable[Finding]) -> Memory:
    """Findings of one piece of `document`, to be moved with it."""
    numbers: set[int] = set()

    def note(span: Span) -> Span:
        numbers.add(bisect_right(document.starts, span.start) - 1)
        return span

    kept = tuple(sorted(findings, key=order))
    for finding in kept:
        moved(finding, note)
    owners = sorted(numbers)
    own = next((document.starts[number] for number in owners if document.pieces[number] is piece), 0)
    inside = all(own <= finding.report.span.start < own + piece.size for finding in kept)
    return Memory(
        kept,
        tuple(document.pieces[number] for number in owners),
        tuple(document.starts[number] for number in owners),
        inside and not any(finding.rule.once for finding in kept),
    )
