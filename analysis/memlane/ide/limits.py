"""The limits of `memlane/ide`, each with what it counts."""

from __future__ import annotations

# buffer_history.py
MAX_STEPS_LISTED = 6
"""Steps from a name back to its buffer that a hover lists; of a name further away it is not said what it is of the
buffer. `tests/ide/test_ide_limits.py` reaches it."""
MAX_USES_LISTED = 5
"""The maximum of uses listed; one more is computed to know whether there are others, which is said.
`tests/ide/test_ide_limits.py` reaches it."""

# freed_paths.py
MAX_PATHS = 9
"""Paths that are counted; of more, a hover says nothing. `tests/ide/test_ide_limits.py` reaches it."""
MAX_PATH_STEPS = 2_000
"""Operations on all these paths together; of more, a hover says nothing. `tests/ide/test_ide_limits.py` reaches it."""

# function_hover.py
MAX_BUFFERS_NAMED = 4
"""The buffers that are named: the largest ones; of the others it is said how many there are.
`tests/ide/test_ide_limits.py` reaches it."""

# hints.py
MAX_PREPARED_TEXT = 100_000
"""Characters of a function that is prepared: building one is not interrupted. What is asked of a longer one is worked
out then. `tests/ide/test_ide_limits.py` reaches it."""

# hover.py
MAX_NAMES = 6
"""Names that a hover lists; of the others it is said how many there are. `tests/ide/test_ide_limits.py` reaches it."""

# partial_trees.py
MAX_EXTRACTS = 6
"""Extracts of a function that are kept; of a short one more are not made: all of it is built.
`tests/ide/test_partial_trees_of_names.py` reaches it."""
MAX_PARTS = 8
"""Parts of one version that are kept. `tests/ide/test_partial_programs.py` reaches it."""

# per_function_memo.py
MAX_FUNCTIONS_BUILT = 3
"""Functions up to which each is built for all who ask about it. `tests/hostile/test_growth_of_reports.py` reaches
it."""

# portraits.py
MAX_PROFILES = 5_000
"""Functions whose memory use is remembered per document: those that were asked about last.
`tests/ide/test_ide_limits.py` reaches it."""

# select_statements.py
MAX_USES_COMPARED = 32
"""Uses of a name that tell which memory it names: other memory that all of them name is looked at, too.
`tests/ide/test_ide_limits.py` reaches it."""

# signature.py
MAX_LOOKED_BACK = 2_000
"""Characters before the place that are looked at; a call that begins before them has no signature there.
`tests/ide/test_ide_limits.py` reaches it."""

# snapshot.py
MIN_PARTIAL_TEXT = 20_000
"""Characters of a text that is worth to be looked at in part: others are checked at once.
`tests/flow/test_viewport_findings.py` reaches it."""
MAX_EDITS = 100
"""A version this many edits after the last one that was read is read anew. `tests/ide/test_ide_limits.py` reaches
it."""

# value_ownership.py
MAX_OWNER_NAMES = 2
"""Buffers that a hint names as those that a value may be. `tests/ide/test_partial_programs.py` reaches it."""
MAX_NESTED_CALLS = 8
"""Calls inside calls that are looked into. `tests/ide/test_hover_lifetimes.py` reaches it."""
