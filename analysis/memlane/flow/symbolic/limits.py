"""The limits of `memlane/flow/symbolic`, each with what it counts."""

from __future__ import annotations

# affine_maps.py
MAX_AFFINE_TEXT = 1_000
"""Characters of a map or set that is read. `tests/flow/test_number_limits.py` reaches it."""
MAX_MAP_OPS = 64
"""Operators, signs and parentheses of one result of a map, or of one condition of a set. One with more is not read, as
each may be another level of an expression. `tests/flow/test_number_limits.py` reaches it."""
MAX_APPLIED_PARTS = 512
"""Parts of what a map gives for some arguments: each of n maps that name their argument twice doubles it. What has more
parts is a number of which nothing is known. `tests/flow/test_number_limits.py` reaches it."""

# amounts.py
MAX_INCOMPARABLE = 6
"""Amounts none of which covers another, before one that covers all stands for them. `tests/flow/test_number_limits.py`
reaches it."""

# branch_assumption.py
MAX_CHOICES = 4
"""Flags by which one of two numbers is chosen in one comparison, before it is not taken apart.
`tests/flow/test_number_limits.py` reaches it."""

# comparisons.py
MAX_COMPARISONS = 24
"""Comparisons of two numbers each on one path that are looked at together. `tests/flow/test_number_limits.py` reaches
it."""

# connectives.py
MAX_CONDITION_WAYS = 16
"""Ways in which a condition may come about, before it is one fact of its own. `tests/flow/test_number_limits.py`
reaches it."""
MAX_TRIED = 64
"""Values that are tried to find out whether conditions contradict each other. `tests/flow/test_number_limits.py`
reaches it."""
MAX_TRIED_SIZE = 200
"""Parts of a condition that is tried so. `tests/flow/test_number_limits.py` reaches it."""

# constant_folding.py
MAX_FOLDED_BITS = 128
"""Bits of a constant that is computed with. `tests/flow/test_number_limits.py` reaches it."""

# lowered_sizes.py
MAX_AGGREGATE_DEPTH = 16
"""Aggregates in one another. How large a value of more is, is not known. `tests/flow/test_number_limits.py` reaches
it."""

# range.py
MAX_GAP = 64
"""From one range to the next: where two ways of a call differ in a number alone that is in these, they are one way, and
the numbers between are listed. With more between, they are two. `tests/flow/test_number_limits.py` reaches it."""

# scalar.py
MAX_COMPARED_DEPTH = 6
"""Levels of a number that is compared with another choice by choice. `tests/flow/test_function_values.py` reaches
it."""
MAX_COMPARED_SIZE = 24
"""Parts of a number that is compared so. `tests/flow/test_number_limits.py` reaches it."""
MAX_NUMBER_BITS = 128
"""Bits of the largest numbers that are computed: integers may be multiplied by themselves again and again.
`tests/flow/test_number_limits.py` reaches it."""

# sizes.py
MAX_REMEMBERED_TYPE = 256
"""Characters of a type that is not remembered. `tests/flow/test_numerals.py` reaches it."""

# spans.py
MAX_SPAN_DEPTH = 8
"""Levels of an expression that are looked at. `tests/flow/test_number_limits.py` reaches it."""

# type_layout.py
MAX_FIELDS = 16
"""Fields of one value; those of larger ones are not distinguished. `tests/golden/test_golden.py` reaches it."""
MAX_FIELD_DEPTH = 8
"""Aggregates in one another, and a value in them. Of deeper ones the fields are not distinguished.
`tests/flow/test_number_limits.py` reaches it."""
