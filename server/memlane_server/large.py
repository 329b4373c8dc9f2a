"""Documents that are too large to analyse: their text is kept and edited, and it is said, once, that nothing is found.

Who types in such a document would wait minutes for findings, in a server that needs gigabytes for them.
"""

from __future__ import annotations

from lsprotocol import types

from memlane.links import rule_url

MEGABYTE = 1_000_000
RULE = "analysis-limit"


def too_large(size: int, limit: int) -> bool:
    """Whether a text of so many characters is above a limit in millions of them; 0: there is none."""
    return 0 < limit * MEGABYTE < size


def note(size: int, limit: int) -> types.Diagnostic:
    """What is said of such a text in the place of findings, at its first character."""
    start = types.Position(0, 0)
    return types.Diagnostic(
        types.Range(start, start),
        f"not analysed: {size / MEGABYTE:,.1f} MB are more than the {limit:,} MB of the setting `sizeLimit`",
        severity=types.DiagnosticSeverity.Information,
        code=RULE,
        code_description=types.CodeDescription(rule_url(RULE)),
        source="memlane",
    )
