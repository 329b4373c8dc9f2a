"""The limits of `memlane/flow/slicing`, each with what it counts."""

from __future__ import annotations

# cfg_contraction.py
MAX_DECISIONS_PER_BLOCK = 64
"""Blocks to which a decision may lead, for each block of a function and all decisions together: n ways into a chain of
m are n times m. Decisions that lead to more are taken to matter in any case. `tests/flow/test_way_limits.py` reaches
it."""

# entry_conditions.py
MAX_BLOCKS = 64
"""Blocks before that of a region, one before the other, that are looked at for what is asked at their ends. What is
asked before these is not known in the region. `tests/flow/test_way_limits.py` reaches it."""

# live_variables.py
MAX_NEAR_BLOCKS = 64
"""Blocks through which a value is followed by itself. `tests/flow/test_state_liveness.py` reaches it."""

# liveness.py
MAX_CONDITION_PLACES = 64
"""Places at which a condition is asked through others that are bound to it, before it is always kept.
`tests/fixes/test_growing.py` reaches it."""

# loop_counter.py
MAX_CONSTANT_TRIPS = 20
"""Iterations of a loop with constant bounds that are distinguished; the rest counts as any number of iterations.
`tests/cli/test_cli_cache.py` reaches it."""
MAX_UNKNOWN_TRIPS = 3
"""The same for loops whose bounds are not known. `tests/flow/test_way_limits.py` reaches it."""
MAX_TERM = 12
"""Parts of the largest expression that is followed from block to block; a value that is handed over a larger one may be
any. `tests/flow/test_way_limits.py` reaches it."""
MIN_COUNTER_BITS = 32
"""Bits of a counter that is taken not to wrap: that would take some billions of rounds.
`tests/ide/test_partial_programs.py` reaches it."""

# memory_facts.py
MAX_CONDITION_PARTS = 16
"""Parts of a condition that is kept. `tests/flow/test_connectives.py` reaches it."""
MAX_KNOWN_VARIABLES = 5
"""Variables of which a path knows at a time what is there; in others anything may be. `tests/flow/test_way_limits.py`
reaches it."""

# pruned_slice.py
MAX_REGION_BLOCKS = 50
"""Of functions of more blocks those that matter are asked for first, also where an answer rests on all blocks.
`tests/peak/test_growing_memory.py` reaches it."""
