"""The limits of `memlane/flow/effects`, each with what it counts."""

from __future__ import annotations

# aggregate_buffers.py
MAX_PLACES = 8
"""Places of a container that are distinguished where it is passed. `tests/golden/test_golden.py` reaches it."""

# aggregate_pointers.py
MAX_NUMBER_OPS = 64
"""Ops that are looked at for what a number in an aggregate is made of, and ops that put something into one aggregate; a
number that is made by more may be an address, and what an aggregate has got by more may hold other memory.
`tests/flow/test_walk_limits.py` reaches it."""

# may_write.py
MAX_BESIDE = 64
"""Stores to other places of one memref that are passed over between two accesses to one place; behind more, something
else may be there. `tests/flow/test_walk_limits.py` reaches it."""

# pointer_difference.py
MAX_ADDRESSES = 4
"""Buffers of whose addresses one number is made; what is made of more may be the difference of any two.
`tests/flow/test_walk_limits.py` reaches it."""

# reloads.py
MAX_STEPS = 64
"""Blocks and regions between two accesses to one place, blocks on the ways between two of these, and operations that
access the place; with more of them, something else may be there. `tests/flow/test_walk_limits.py` reaches it."""
