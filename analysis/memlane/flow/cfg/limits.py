"""The limits of `memlane/flow/cfg`, each with what it counts."""

from __future__ import annotations

# block_ranges.py
MAX_SCANNED = 64
"""Numbers of which the least is found by looking at each. `tests/flow/test_block_ranges.py` reaches it."""

# function_pointers.py
MAX_FUNCTIONS = 16
"""Functions, and other values, of which one value may be any; what may be one of more may be any function.
`tests/flow/test_walk_limits.py` reaches it."""

# incomplete_names.py
MAX_CLOSING = 4
"""More characters than that are no closing brackets that an editor has put behind what is being typed.
`tests/bench/test_caches.py` reaches it."""

# region_dispatch.py
MAX_DIRECT_REGIONS = 16
"""Regions up to which the ways are followed as they are. `tests/peak/test_growing_memory.py` reaches it."""
