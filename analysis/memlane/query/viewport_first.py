"""The findings of the functions in view, before all of a long text has been read."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

from memlane.config import Config
from memlane.findings import Finding, Span
from memlane.query import Checker
from memlane.query.findings_store import moved
from memlane.syntax import Document
from memlane.syntax.editing.excerpt import Excerpt, excerpt
from memlane.syntax.editing.piece import Piece


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What was read of a text, and what was found.

    Args:
        findings: those that begin in functions in view, in source order, in the places of the whole text: what a
            check of all of it will find there.
    """

    excerpt: Excerpt
    document: Document
    findings: tuple[Finding, ...]

    def covers(self, view: Span) -> bool:
        """Whether all functions that `view` touches are among those of the findings."""
        reach = self.excerpt.reach
        return reach.start <= view.start and view.end < reach.end

    def pieces(self) -> Mapping[int, Piece]:
        """What was read, by where it stands in the whole text."""
        document = self.document
        return {self.excerpt.place(start): piece for piece, start in zip(document.pieces, document.starts, strict=True)}


def glimpse(source: str, view: Span, checker: Checker, config: Config) -> Glimpse | None:
    """What is found in the functions of `source` that `view` touches; None where all has to be read for that.

    `checker` is to check the whole next: what it finds out here is not found out again.
    """
    part = excerpt(source, view) if not config.values["budget"] else None
    if part is None:
        return None
    document = Document(part.text, config.models)
    starts = [span.start for span in part.functions]
    at = dict(zip(document.pieces, document.starts, strict=True))

    def wanted(piece: Piece) -> bool:
        start = part.place(at[piece])
        number = bisect_right(starts, start) - 1
        return number >= 0 and start < part.functions[number].end

    found = checker.glimpse(document, config, wanted)
    if found is None or any(finding.rule.once for finding in found.findings):
        return None

    def move(span: Span) -> Span:
        return Span(part.place(span.start), part.place(span.start) + span.end - span.start)

    return Glimpse(part, document, tuple([moved(finding, move) for finding in found.findings]))
