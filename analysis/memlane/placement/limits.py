"""The limits of `memlane/placement`, each with what it counts."""

from __future__ import annotations

# distances.py
MAX_SEARCH_STEPS = 4096
"""Steps of one search from a death to a deallocation; beyond, it takes of those that all searches of the function
share. `tests/flow/test_late_far.py` reaches it."""
MAX_FAR_STEPS_PER_SEGMENT = 16
"""Steps that all searches of a function share, for each of its segments. Once they are used up, a search ends after its
own, and deallocations that are farther away are not compared. `tests/flow/test_late_far.py` reaches it."""

# earlier.py
MAX_SEGMENTS_PASSED = 4096
"""Segments that one deallocation is moved past, and that are looked at between two of them. It is not moved farther, or
not at all. `tests/placement/test_placement_limits.py` reaches it."""

# feasible.py
MAX_CONDITIONS = 8
"""Conditions about one value that are looked at: the last ones before a place. A way that only others exclude may be
taken. `tests/placement/test_placement_limits.py` reaches it."""
MAX_HANDING = 8
"""Ways that hand over a number which are looked at. `tests/flow/test_null_comparisons.py` reaches it."""
MAX_FORWARDING_BLOCKS = 3
"""Blocks through which a number is forwarded, as far as that is looked at. `tests/placement/test_placement_limits.py`
reaches it."""
MAX_FORWARDING_WAYS = 2
"""Ways that come to such a block, as to the header of a loop. `tests/placement/test_placement_limits.py` reaches it."""
MAX_PRUNINGS = 4
"""So often ways that no execution takes are looked for: without these, others may be found. Those that are left may be
taken. `tests/placement/test_placement_limits.py` reaches it."""

# mentions.py
MAX_FAMILY_ROOTS = 400
"""Roots of buffers that are looked at together, about. `tests/fixes/test_growing.py` reaches it."""

# ranges.py
MAX_DEMOTIONS = 12
"""So often owners are demoted one by one; then all that are left in their clusters are.
`tests/placement/test_placement_limits.py` reaches it."""
MAX_OWNERS_OF_A_NAME = 16
"""Owners that one name may stand for; of more none is freed elsewhere, as n deallocations of n buffers are n squared
questions. `tests/flow/test_contracted_cfg.py` reaches it."""

# weights.py
MAX_BRANCH_SEGMENTS = 64
"""Segments that are looked at between a branch and where its ways meet. `tests/hostile/test_growth_of_checks.py`
reaches it."""
MAX_DISTANCE_STEPS = 4096
"""Steps for one distance; then it is what is known. `tests/hostile/test_sizes.py` reaches it."""
