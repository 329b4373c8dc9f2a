"""The limits of `memlane/flow/memory`, each with what it counts."""

from __future__ import annotations

# extern_aliases.py
MAX_RESULT_USES = 20_000
"""Uses of what calls give that are noted in one function; of further calls it is taken that they keep what they are
passed. `tests/flow/test_walk_limits.py` reaches it."""
MAX_OP_TEXT = 1000
"""Characters behind the name of an op that are looked at for the type of its elements; those of a longer one may be
addresses. `tests/flow/test_walk_limits.py` reaches it."""

# loop_distinct_loads.py
MAX_NAMES = 64
"""Names that are looked through for the loads that a value may come from, besides the first. Behind more of them, two
rounds of a loop may have loaded the same. `tests/flow/test_walk_limits.py` reaches it."""

# malloc_size.py
MAX_PRODUCT_STEPS = 64
"""Steps in which a number is taken apart, terms that a product may have, and. `tests/peak/test_requested.py` reaches
it."""
MAX_READ_TEXT = 1000
"""Characters of an op that are read for a number and a type. What stands behind them is not known.
`tests/flow/test_walk_limits.py` reaches it."""

# scalar_memory.py
MAX_STORES = 64
"""Stores to one variable of which it is followed what is in it; of one with more it is not.
`tests/flow/test_walk_limits.py` reaches it."""
MAX_VARIABLES_ALL_FOLLOWED = 4
"""Variables of a function that are all followed. `tests/paths/test_simulation.py` reaches it."""
MAX_NEAR = 16
"""Blocks behind a decision, and values computed from a flag, that are looked at to find out whether the flag matters to
a buffer; a variable that only matters farther on is not followed. `tests/flow/test_walk_limits.py` reaches it."""
