"""The limits of `memlane/agent`, each with what it counts."""

from __future__ import annotations

# tools.py
MAX_PICTURES = 8
"""Functions that are drawn at once; of the others it is said how many there are. `tests/api/test_mcp.py` reaches it."""
