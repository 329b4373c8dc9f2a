"""The limits of `memlane/syntax`, each with what it counts."""

from __future__ import annotations

# problems.py
MAX_PROBLEMS_PER_RULE = 10_000
"""Problems of one rule that are reported of a document. `tests/syntax/test_many_problems.py` reaches it."""
