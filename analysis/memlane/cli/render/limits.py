"""The limits of `memlane/cli/render`, each with what it counts."""

from __future__ import annotations

# full.py
MAX_SHOWN = 5
"""Findings of one rule in one function that are all shown in full. `tests/cli/test_cli_savings.py` reaches it."""
MAX_IN_FULL = 3
"""How many of these are shown in full where there are more. `tests/cli/test_cli_savings.py` reaches it."""

# savings_lines.py
MAX_SAVING_LINES = 5
"""Functions whose possible savings are shown, a line each; of the others one line says how many there are.
`tests/cli/test_cli_savings.py` reaches it."""
