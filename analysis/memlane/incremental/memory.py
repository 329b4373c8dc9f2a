"""What was found in a piece, kept as it was when it was found."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memlane.findings import Finding, Span
from memlane.parts import Part, moved, order
from memlane.syntax import Document
from memlane.syntax.pieces import Piece


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """What was found in a piece.

    Args:
        findings: in source order, where the pieces stood when it was found.
        owners: the pieces its spans lie in, in text order.
        starts: where those stood.
        plain: they all begin in the piece itself, and none is of a rule that speaks once.
    """

    findings: tuple[Finding, ...]
    owners: tuple[Piece, ...]
    starts: tuple[int, ...]
    plain: bool

    def part(self, at: Mapping[Piece, int]) -> Part:
        """The findings, and where the pieces stand now."""
        owners = self.owners
        now = (at[owners[0]],) if len(owners) == 1 else tuple([at[owner] for owner in owners])
        return Part(self, self.findings, owners, self.starts, now)


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
