"""The limits of `memlane/flow/alias`, each with what it counts."""

from __future__ import annotations

# alias.py
MIN_INDEXED_TARGETS = 16
"""The number of values forwarded together from which on their targets are indexed: a search for each is quadratic.
`tests/flow/test_budget_is_enough.py` reaches it."""
