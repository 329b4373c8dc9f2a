"""The limits of `memlane/cli`, each with what it counts."""

from __future__ import annotations

# explain.py
MAX_PROSE_COLUMNS = 120
"""Columns of a page of prose, however wide the terminal is: longer lines are hard to read.
`tests/cli/test_cli_limits.py` reaches it."""

# lanes.py
MIN_PICTURE_COLUMNS = 20
"""Columns that a picture has at least. `tests/cli/test_cli_commands.py` reaches it."""
MAX_PICTURE_COLUMNS = 10_000
"""Columns that a picture has at most; a command line that asks for more is refused. `tests/cli/test_cli_limits.py`
reaches it."""
MAX_NAMED = 10
"""The number of functions named in the message about an unknown one; of the others it says how many there are.
`tests/cli/test_cli_limits.py` reaches it."""

# pass_table.py
MAX_PASSES_NAMED = 3
"""How many passes a line of the summary names, those that did most; of the others it says how many there are.
`tests/cli/test_cli_limits.py` reaches it."""

# patterns.py
MAX_PATTERNS = 10_000
"""Lines of a file of patterns; one that has more does not count, which is said. `tests/cli/test_cli_limits.py` reaches
it."""
MAX_PATTERN_TEXT = 1_024
"""Characters of a pattern; longer ones are invalid. `tests/hostile/test_patterns.py` reaches it."""

# pool.py
MAX_FILES_SENT = 24
"""Files that a process is sent at once: neighbours are alike, and what is learned of one helps with the next. What
comes of them is shown when all of them are checked. `tests/cli/test_cli_limits.py` reaches it."""

# scheduler.py
MIN_PARALLEL_BYTES = 300_000
"""Bytes of input from which on several processes are faster: about a second of work for one.
`tests/cli/test_cli_formats.py` reaches it."""

# stats.py
MAX_BUFFERS_NAMED = 5
"""How many of the buffers at the peak, and of those held unused, are named. `tests/cli/test_cli_limits.py` reaches
it."""
