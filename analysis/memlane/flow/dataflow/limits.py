"""The limits of `memlane/flow/dataflow`, each with what it counts."""

from __future__ import annotations

# solver.py
MAX_SUCCESSORS = 256
"""The maximum of successors of a state: an operation without a model with four results, each any of its four
operands."""
