"""The limits of `memlane/query`, each with what it counts."""

from __future__ import annotations

# checked_section.py
MIN_NEW_PIECES = 20
"""Of a section of which so many pieces are new no ops are kept. `tests/hostile/test_growth.py` reaches it."""

# functions.py
MAX_CALLEE_TEXT = 500_000
"""Characters of functions whose ops are kept for those who call them, beside the largest: some 35 MB. What is asked for
later is built again. `tests/flow/test_reused_ops.py` reaches it."""

# memory.py
MAX_PARTS = 12
"""The maximum of parts of portions with which findings are identified: each edit of space or comments adds one. Of
more, the places of now are taken for all of them. `tests/flow/test_edits_between_ops.py` reaches it."""

# tree_cache.py
MAX_CACHED_TEXT = 100_000
"""Characters of functions whose ops are kept, some 7 MB; beside them those of one that has more are.
`tests/flow/test_reused_ops.py` reaches it."""
MAX_ASIDE_TEXT = 1_000_000
"""Characters of a function that may be kept twice. `tests/flow/test_no_cyclic_garbage.py` reaches it."""

# version_cache.py
MAX_VERSIONS = 4
"""Versions that are kept. `tests/fixes/test_effort.py` reaches it."""

# viewport.py
MIN_LEFT = 20
"""The minimum of functions left to analyse for the findings in view to be published apart. `tests/server/test_view.py`
reaches it."""
