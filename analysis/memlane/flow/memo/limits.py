"""The limits of `memlane/flow/memo`, each with what it counts."""

from __future__ import annotations

# terminator_deps.py
MAX_REMEMBERED_BLOCKS = 2
"""Blocks in which a value is asked elsewhere that are remembered: an edit of one leaves the other.
`tests/flow/test_blocks_reanalysed.py` reaches it."""
