"""The limits of `memlane/flow/path_insensitive`, each with what it counts."""

from __future__ import annotations

# all_paths.py
MAX_GROWTHS = 64
"""The number of times a point's state may grow before it is widened; after four times that, it distinguishes nothing.
`tests/flow/test_budget_is_enough.py` reaches it."""

# fallback.py
MAX_STEPS_ALONE = 60_000
"""Steps that may be taken to follow buffers of one group one by one, where together is too much; and beside that for
each operation of the function. `tests/flow/test_budget_is_enough.py` reaches it."""
MAX_OPS_ALWAYS_SOLVED = 20_000
"""Operations of the largest function of which nothing is given up, whatever that takes. In larger ones all paths are
not taken together where that would take more memory than this, in points times buffers, some GB.
`tests/flow/test_budget.py` reaches it."""
MAX_SET_BITS = 500_000_000
"""Bits of all sets of one function: points times buffers, 60 MB. `tests/flow/test_budget.py` reaches it."""

# transfer_call.py
MAX_PASSED_NAMES = 4
"""Names passed to a call of which all at once it is asked what it does, in all ways in which some are one buffer. Of
more it is asked of each by itself. `tests/flow/test_call_limits.py` reaches it."""
