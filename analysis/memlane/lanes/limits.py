"""The limits of `memlane/lanes`, each with what it counts."""

from __future__ import annotations

# lane_layout.py
MAX_SINGLE_ROWS = 60
"""Buffers up to which each has a row of its own. `tests/hostile/test_growth_of_reports.py` reaches it."""
