"""The limits of `memlane/syntax/names`, each with what it counts."""

from __future__ import annotations

# elsewhere.py
MAX_SEARCHES = 12
"""Names that are looked for: all of the text is searched for each. `tests/fixes/test_forgetting.py` reaches it."""
MIN_STATEMENTS = 50
"""Statements with one of the names that are looked at, beside one of `SHARE` of the function's. Resolving all names is
less work than more of them. `tests/syntax/test_syntax_limits.py` reaches it."""

# missing.py
MAX_NAMES_SEARCHED = 3
"""Names that are looked for: all of the text is searched for each. `tests/syntax/test_unmoved.py` reaches it."""
