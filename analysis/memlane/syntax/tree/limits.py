"""The limits of `memlane/syntax/tree`, each with what it counts."""

from __future__ import annotations

# aliases.py
MAX_ALIAS_TEXT = 4_096
"""Characters that an alias may stand for: one may name another twice, that one another, and so on.
`tests/flow/test_type_aliases.py` reaches it."""

# layout.py
MAX_LAYOUTS = 4096
"""Layouts that are kept: what is written often is soon there again. `tests/syntax/test_layout.py` reaches it."""
