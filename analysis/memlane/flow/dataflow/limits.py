"""The limits of `memlane/flow/dataflow`, each with what it counts."""

from __future__ import annotations

# solver.py
MAX_SUCCESSORS = 256
"""States that may follow on one by one operation, as where each of four results is any of four operands. With more of
them the buffers are not followed along paths. `tests/flow/test_walk_limits.py` reaches it."""
