"""Repairs of findings, as minimal text edits: `Fixer` for one finding at a time, `fix_all` for a whole text.

Fixes are computed on request, never while checking. Each is applied to a copy of the text and checked again before it
is offered: the finding has to be gone, and no new one may have come.
"""

from __future__ import annotations

from memlane.fixes.all import Repaired, fix_all, repaired, with_fixes
from memlane.fixes.edit_writer import apply
from memlane.fixes.fixer import Fixer
from memlane.fixes.refactoring import MOVES, Refactoring, refactorings
from memlane.fixes.refusal import refusal
from memlane.fixes.silence import silence, turn_off

__all__ = [
    "MOVES",
    "Fixer",
    "Refactoring",
    "Repaired",
    "apply",
    "fix_all",
    "refactorings",
    "refusal",
    "repaired",
    "silence",
    "turn_off",
    "with_fixes",
]
