"""The limits of `memlane/flow`, each with what it counts."""

from __future__ import annotations

# strategy.py
MAX_QUICK_STEPS = 500
"""Steps that following one of several buffers is worth, and two for each point. Where one takes more, they are
followed as if they were alike. `tests/flow/test_budget.py` reaches it."""
MIN_MERGED_SITES = 16
"""Buffers that may be each other, from which on it is asked first whether anything goes wrong where they are alike;
that may take `MAX_QUICK_STEPS`, and more for each point. `tests/fixes/test_growing.py` reaches it."""
MIN_DECIDED = 8
"""Values that are asked more than once, from which on it is asked first whether anything goes wrong whatever they are;
that may take `MAX_QUICK_STEPS`, too. `tests/fixes/test_form.py` reaches it."""
