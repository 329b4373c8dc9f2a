"""Silencing a finding where it stands, for those who know better: the other way to make it go."""

from __future__ import annotations

from memlane.findings import Applicability, Finding, Fix
from memlane.suppressions import CommentedLine, ignoring
from memlane.text import Text

WHY = "TODO: say why"
"""The placeholder for the reason in a new comment."""


def silence(text: Text, finding: Finding, lines: dict[int, CommentedLine] | None = None) -> Fix:
    """The edit that puts a comment at the finding that silences it, and asks for the reason; `lines`: of `ignoring`."""
    edits = ignoring(text, [finding], WHY, lines)
    return Fix(f"Ignore {finding.rule.name} here", edits, Applicability.UNSAFE)
