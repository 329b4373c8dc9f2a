"""The limits of `memlane/results`, each with what it counts."""

from __future__ import annotations

# cache.py
MAX_DAYS_UNUSED = 30
"""Days after which an entry that was not used is removed. `tests/cli/test_cli_cache.py` reaches it."""

# leftovers.py
MAX_NAME = 40
"""Characters of the name of a file that are part of the name of the one beside it, which must not be too long for a
folder. `tests/hostile/test_leftovers.py` reaches it."""
