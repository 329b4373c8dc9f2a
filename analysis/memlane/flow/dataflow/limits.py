"""The limits of `memlane/flow/dataflow`: how much is looked at, before less is told apart."""

from __future__ import annotations

# solver.py
MAX_SUCCESSORS = 256
"""The maximum of successors of a state: an operation without a model with four results, each any of its four
operands."""
