"""The limits of `memlane/rules`: how much is looked at, before less is told apart."""

from __future__ import annotations

# budget_exceeded.py
MAX_LISTED = 5
"""Buffers of a peak that are listed, the largest first."""
