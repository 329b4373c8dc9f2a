"""The limits of `memlane/syntax/editing`, each with what it counts."""

from __future__ import annotations

# amend.py
MAX_LEAF_STATEMENTS = 384
"""Statements of a leaf that has grown; one that is longer is made two. `tests/flow/test_portions.py` reaches it."""

# document.py
MAX_PAST_VERSIONS = 4
"""Versions before that a document refers to: what is typed is often taken back. `tests/flow/test_undone_edits.py`
reaches it."""
MAX_PAST_TEXT = 500_000
"""Characters of pieces that it keeps for them, and that what is known of a section is kept for; the last version is
always kept. `tests/flow/test_undone_edits.py` reaches it."""

# excerpt.py
MIN_EXCERPT_RATIO = 2
"""An excerpt is at most a part of the text: one of so many. Above that, reading all of it costs little more.
`tests/flow/test_viewport_findings.py` reaches it."""

# heap.py
MIN_TRIMMED_LEAVES = 100
"""A function of so many leaves is worth the call: the table of its names is megabytes. `tests/hostile/test_sizes.py`
reaches it."""

# sparse.py
MIN_LEAVES = 3
"""Leaves of a function of which some, with what is around them, are most of it.
`tests/hostile/test_growth_of_reports.py` reaches it."""

# strips.py
MAX_PORTION_LEAVES = 3
"""Leaves of a function that is one portion, at most. `tests/flow/test_portions.py` reaches it."""
