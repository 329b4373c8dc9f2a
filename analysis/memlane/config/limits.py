"""The limits of `memlane/config`, each with what it counts."""

from __future__ import annotations

# __init__.py
MIN_LONG_FILE = 1 << 16
"""Characters of a `pyproject.toml` from which on only the line `[tool.memlane]` says that it is about Memlane.
`tests/hostile/test_settings_in_bulk.py` reaches it."""

# config_files.py
MAX_TEXT = 1_000_000
"""Characters of a file that is used: each takes some microseconds. `tests/hostile/test_settings_in_bulk.py` reaches
it."""

# options.py
MAX_ENTRIES = 1_000
"""Entries of a list or table in one setting. `tests/hostile/test_settings_in_bulk.py` reaches it."""
