"""Silencing a finding where it stands, for those who know better: the other way to make it go."""

from __future__ import annotations

from memlane.findings import Applicability, Finding, Fix
from memlane.suppressions import ignoring
from memlane.text import Text

WHY = "TODO: say why"
"""The reason that stands in a new comment until somebody gives one."""


def silence(text: Text, finding: Finding) -> Fix:
    """The edit that puts a comment at the finding which silences it, and asks for the reason."""
    edits = ignoring(text, [finding], WHY)
    return Fix(f"Ignore {finding.rule.name} here", edits, Applicability.UNSAFE)
