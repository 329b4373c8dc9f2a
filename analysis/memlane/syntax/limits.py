"""The limits of `memlane/syntax`: how much is looked at, before less is told apart."""

from __future__ import annotations

# problems.py
MAX_PROBLEMS_PER_RULE = 10_000
"""Problems of one rule that are reported of a document. `tests/syntax/test_many_problems.py` reaches it."""
