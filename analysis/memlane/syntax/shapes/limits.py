"""The limits of `memlane/syntax/shapes`, each with what it counts."""

from __future__ import annotations

# statement.py
MAX_RESULTS = 65_536
"""Results of one operation that are distinguished (`%a:1000000 =`): each takes memory. Of one that has as many or more,
a number beyond them means nothing, and is no mistake. `tests/syntax/test_syntax_limits.py` reaches it."""

# suggest.py
MAX_NAMES_COMPARED = 2_000
"""Names that a misspelled one is compared with; of more, those that begin alike. `tests/syntax/test_syntax_limits.py`
reaches it."""
MAX_SUGGESTIONS = 20
"""Mistakes of a function for which something similar is looked for: looking costs. `tests/flow/test_incremental.py`
reaches it."""

# tokens.py
MAX_FAULTS = 1_000
"""A statement with more faults than that is no operation, and is not read as one: its tree would have as many parts.
`tests/hostile/test_rows_of_brackets.py` reaches it."""
