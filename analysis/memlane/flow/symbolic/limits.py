"""The limits of `memlane/flow/symbolic`, each with what it counts."""

from __future__ import annotations

# affine_maps.py
MAX_AFFINE_TEXT = 1_000
"""Characters of a map or set that is read."""
MAX_MAP_DEPTH = 16
"""Levels of parentheses and signs of one that is read."""

# branch_assumption.py
MAX_CHOICES = 4
"""Flags by which one of two numbers is chosen in one comparison, before it is not taken apart."""

# comparisons.py
MAX_COMPARISONS = 24
"""Comparisons of two numbers each on one path that are looked at together."""

# connectives.py
MAX_CONDITION_WAYS = 16
"""Ways in which a condition may come about, before it is one fact of its own."""
MAX_TRIED = 64
"""Values that are tried to find out whether conditions contradict each other."""
MAX_TRIED_DEPTH = 48
"""Levels of a condition that is tried so."""
MAX_TRIED_SIZE = 200
"""Parts of a condition that is tried so."""

# constant_folding.py
MAX_FOLDED_BITS = 128
"""Bits of a constant that is computed with."""
MAX_SHIFT = 64
"""Bits by which a constant may be shifted."""

# lowered_sizes.py
MAX_ALIGNMENT = 16
"""Bytes: the largest alignment of a number."""
MAX_AGGREGATE_DEPTH = 16
"""Aggregates in one another."""

# range.py
MAX_GAP = 64
"""So many numbers between two ranges are said to be missing when these are joined."""

# scalar.py
MAX_COMPARED_DEPTH = 6
"""Levels of a number that is compared with another choice by choice. `tests/flow/test_chosen.py` reaches it."""
MAX_COMPARED_SIZE = 24
"""Parts of a number that is compared so."""
MAX_NUMBER_BITS = 128
"""Bits of the largest numbers that are computed: integers may be multiplied by themselves again and again."""

# sizes.py
MAX_REMEMBERED_TYPE = 256
"""Characters of a type that is not remembered. `tests/flow/test_numerals.py` reaches it."""

# spans.py
MAX_SPAN_DEPTH = 8
"""Levels of an expression that are looked at."""

# type_layout.py
MAX_FIELDS = 16
"""Fields of one value; those of larger ones are not distinguished. `tests/golden/test_golden.py` reaches it."""
MAX_FIELD_DEPTH = 8
"""Aggregates in one another, and a value in them."""
