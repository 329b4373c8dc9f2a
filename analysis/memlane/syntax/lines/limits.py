"""The limits of `memlane/syntax/lines`, each with what it counts."""

from __future__ import annotations

# memo.py
MAX_BARE_LINES = 4096
"""Lines that differ in nothing but the space before them stand near each other: these need not be kept for long.
`tests/bench/test_caches.py` reaches it."""
