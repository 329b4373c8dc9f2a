"""The limits of `memlane/dialects`, each with what it counts."""

from __future__ import annotations

# model.py
MAX_NAMES = 10_000
"""Names of operations whose models are remembered: more than there are operations, but not all that is ever typed.
Beyond, they are looked up anew. `tests/dialects/test_catalogue.py` reaches it."""

# text_patterns.py
MAX_PATTERN = 1_000
"""Characters of a pattern. `tests/hostile/test_text_patterns.py` reaches it."""
MAX_MATCHED_TEXT = 1_000
"""Characters behind the name of an operation that a pattern is matched with. `tests/hostile/test_text_patterns.py`
reaches it."""
MAX_WAYS = 2 * MAX_MATCHED_TEXT
"""Ways that a pattern may match a text: beyond, matching could take the square of its length.
`tests/hostile/test_text_patterns.py` reaches it."""
MAX_PARENTHESES = 50
"""Opening parentheses of a pattern: one with more is refused, as reading it takes more of the stack with each that
stands in another. `tests/hostile/test_text_patterns.py` reaches it."""

# toml.py
MAX_DOTS = 32
"""Dots in a line outside texts and comments: reading a key of n parts is quadratic work.
`tests/hostile/test_settings_in_bulk.py` reaches it."""

# toml_tables.py
MAX_PROBLEMS = 100
"""Problems of one file that are reported; looking for what was meant by a wrong name takes its time.
`tests/hostile/test_settings_in_bulk.py` reaches it."""
