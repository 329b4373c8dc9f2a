"""The limits of `memlane/agent`: how much is looked at, before less is told apart."""

from __future__ import annotations

# tools.py
MAX_PICTURES = 8
"""Functions that are drawn at once."""
