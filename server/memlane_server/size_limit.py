"""Documents that are not analysed: their text is kept and edited, and it is said, once, that nothing is found.

Some are too large from the start: findings would come minutes after a keystroke. With others it turns out to take more
memory than there shall be.
"""

from __future__ import annotations

from dataclasses import dataclass

from lsprotocol import types

from memlane.doc_links import rule_url

MEGABYTE = 1_000_000
RULE = "analysis-limit"
SMALLER = 0.9
"""A document that is this many times as large as it was may be analysed in the memory that was not enough then."""


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A document of which the analysis took too much memory: of so many characters, under that `memoryLimit`."""

    size: int
    limit: int

    def holds(self, size: int, limit: int) -> bool:
        """Whether it would be no different with a text of this size, under this limit."""
        return limit == self.limit and size > SMALLER * self.size


def refusal(size: int, limit: int, given_up: GivenUp | None = None) -> str:
    """Why a text of so many characters is not analysed; "": it is.

    Args:
        limit: the most, in millions of characters; 0: there is no such limit.
        given_up: its analysis was, and would be again.
    """
    if 0 < limit * MEGABYTE < size:
        return f"not analysed: {size / MEGABYTE:,.1f} MB are more than the {limit:,} MB of the setting `sizeLimit`"
    if given_up is not None:
        return f"not analysed: that takes more memory than the {given_up.limit:,} MB of the setting `memoryLimit`"
    return ""


def note(refused: str) -> types.Diagnostic:
    """The diagnostic in the place of findings, at the first character."""
    start = types.Position(0, 0)
    return types.Diagnostic(
        types.Range(start, start),
        refused,
        severity=types.DiagnosticSeverity.Information,
        code=RULE,
        code_description=types.CodeDescription(rule_url(RULE)),
        source="memlane",
    )
