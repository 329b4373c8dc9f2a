"""The limits of `memlane/agent`, each with what it counts."""

from __future__ import annotations

# tools.py
MAX_PICTURES = 8
"""Functions that are drawn at once."""
