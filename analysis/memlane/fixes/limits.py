"""The limits of `memlane/fixes`, each with what it counts."""

from __future__ import annotations

# all.py
MAX_ROUNDS = 100
"""Rounds of applying fixes and checking what came of it; each takes as long as a check. What is left then says that the
limit is reached. `tests/fixes/test_fix_limits.py` reaches it."""
MAX_FIXES_TOGETHER = 8
"""So many fixes of each finding are tried together with those of the others; then each finding is looked at alone.
`tests/fixes/test_fix_limits.py` reaches it."""
MAX_DROPPED = 8
"""Of more fixes that do not hold together, those are dropped with whose buffers something is still wrong.
`tests/fixes/test_effort.py` reaches it."""
MAX_CHECKED_CHARACTERS = 1_000_000
"""Characters of text that are checked again, beside `MAX_CHECKED_PER_CHARACTER`; then no fix is tried for one finding
alone. `tests/fixes/test_fix_limits.py` reaches it."""
MAX_CHECKED_PER_CHARACTER = 16
"""The same for each character of the source. `tests/fixes/test_fix_limits.py` reaches it."""

# decision_tree.py
MAX_DEPTH = 3
"""Flags that are asked one after the other on a path through a decision tree. `tests/fixes/test_execution.py` reaches
it."""

# fix_context.py
MAX_FREED_TOGETHER = 32
"""Of clusters with more buffers, those are freed apart from others that only share buffers which this function need not
free. `tests/fixes/test_growing.py` reaches it."""

# fixer.py
MAX_CHAIN = 4
"""Fixes that follow one another as one, at most; where more are needed none is proposed.
`tests/fixes/test_fix_limits.py` reaches it."""

# ownership_flags.py
MAX_FLAGS = 24
"""Flags that one repair may add, at most, each counted again where it has to say more than it did; where more are
needed the buffer is left as it is. `tests/fixes/test_fix_limits.py` reaches it."""
MAX_SPLITS = 3
"""Conditions, one after the other, by which one flag is split into two; where more would have to be, there is no such
flag. `tests/fixes/test_fix_limits.py` reaches it."""

# placing.py
MAX_PLACEMENTS = 24
"""Placements that are tried for one buffer, twice as many where new flags may tell paths apart; each is checked on all
of its paths. A buffer that needs more is left as it is. `tests/fixes/test_fix_limits.py` reaches it."""

# returned_flags.py
MAX_FUNCTIONS = 4
"""Functions that call each other and get flags, at most; where more need one the buffer is left as it is.
`tests/fixes/test_fix_limits.py` reaches it."""

# with_flags.py
MAX_GROUPS = 8
"""Groups of values that get flags, at most. `tests/fixes/test_growing.py` reaches it."""
