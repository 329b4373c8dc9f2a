"""The limits of `memlane/flow/effects`, each with what it counts."""

from __future__ import annotations

# aggregate_buffers.py
MAX_PLACES = 8
"""Places of a container that are distinguished where it is passed. `tests/golden/test_golden.py` reaches it."""

# aggregate_pointers.py
MAX_NUMBER_OPS = 64
"""Ops that are looked at for what a number is made of, at most."""

# may_write.py
MAX_BESIDE = 64
"""Stores to other places of one memref that are passed over."""

# pointer_difference.py
MAX_OFFSET_OPS = 16
"""Operations that an offset is made by."""

# reloads.py
MAX_STEPS = 64
"""Blocks and regions, and operations of one block, between two operations."""
