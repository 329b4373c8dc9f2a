"""The limits of `memlane/flow/memory`, each with what it counts."""

from __future__ import annotations

# extern_aliases.py
MAX_RESULT_USES = 20_000
"""Uses of what calls give that are noted in one function; of further calls it is taken that they keep what they are
passed."""
MAX_OP_TEXT = 1000
"""Characters of an op that are looked at for the type of its elements."""

# loop_distinct_loads.py
MAX_NAMES = 64
"""Names that are looked through for what they may be."""

# malloc_size.py
MAX_PRODUCT_STEPS = 64
"""Steps in which a number is taken apart, terms that a product may have, and. `tests/peak/test_requested.py` reaches
it."""
MAX_READ_TEXT = 1000
"""characters of an op that are read; the result of a longer one is unknown."""

# scalar_memory.py
MAX_STORES = 64
"""Stores to one variable."""
MAX_VARIABLES_ALL_FOLLOWED = 4
"""Variables of a function that are all followed. `tests/paths/test_simulation.py` reaches it."""
MAX_NEAR = 16
"""Blocks behind a decision, and values computed from a flag, that are looked at."""
