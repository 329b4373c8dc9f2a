"""The limits of `memlane/flow/fastpath`, each with what it counts."""

from __future__ import annotations

# linear.py
MAX_BLOCKS_AHEAD = 64
"""So many blocks, or twice those it is named in and between, are looked at behind all that name a buffer: they may lead
back to these. Else it is lost, and n of them would each be looked for in all blocks behind.
`tests/hostile/test_growth_of_checks.py` reaches it."""
