"""The limits of `memlane/rules`, each with what it counts."""

from __future__ import annotations

# budget_exceeded.py
MAX_LISTED = 5
"""Buffers of a peak that are listed, the largest first. `tests/rules/budget_listed.mlir` reaches it."""
