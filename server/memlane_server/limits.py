"""The limits of `memlane_server`, each with what it counts."""

from __future__ import annotations

# client_view.py
MAX_LINES_SEEN = 300
"""A request for more lines is one for the document: it does not show what is in view.
`tests/server/test_server_limits.py` reaches it."""
MAX_BRIEF_TEXT = 50_000
"""Characters of functions that are built for an answer in no time: 5 to 10 ms. `tests/server/test_brief.py` reaches
it."""

# diagnostic_chunks.py
MAX_RUN_PORTIONS = 32
"""Portions of a run, at most. `tests/server/test_publishing.py` reaches it."""

# gc_policy.py
MIN_NEW_OBJECTS = 500_000
"""New objects that make a full collection worthwhile. `tests/server/test_garbage.py` reaches it."""
MAX_NEW_OBJECTS = 3_000_000
"""New objects after which all is looked at, quiet or not. `tests/server/test_garbage.py` reaches it."""

# memory_limit.py
MIN_LIMIT = 200_000_000
"""What a process may use in any case: some 50 MB of it are Python with its modules. `tests/server/test_heavy.py`
reaches it."""
MAX_KEPT_TEXT = 1_000_000
"""Characters up to which an analysis is never given up: it takes some 100 MB at most.
`tests/server/test_memory_limit.py` reaches it."""

# protocol.py
MAX_UNSENT_BYTES = 32 << 20
"""Bytes that may wait until the client reads: while there are more, no message of it is handled and no answer is worked
out. `tests/server/test_server_limits.py` reaches it."""

# refresh.py
MAX_REQUESTS = 6
"""Requests to refresh one document: one that is no longer shown is not asked about. `tests/server/test_reminder.py`
reaches it."""

# settings.py
MAX_NUMBER = 2**31 - 1
"""Milliseconds or megabytes in a setting; a larger number is said to be none, and the default holds.
`tests/server/test_server_limits.py` reaches it."""

# symbols.py
MAX_FILES = 5_000
"""Files that a search for symbols of the workspace reads, and that are checked where a setting says so.
`tests/server/test_server_limits.py` reaches it."""
MAX_SEARCHED_BYTES = 20_000_000
"""Bytes of all files that such a search reads; a file that is too large for what is left is not searched.
`tests/server/test_server_limits.py` reaches it."""
MAX_SYMBOLS = 1_000
"""Symbols in the answer of such a search: the first ones. `tests/server/test_server_limits.py` reaches it."""

# transport.py
MAX_LINE_BYTES = 1 << 16
"""No line of a header is longer: what is, is no header. `tests/server/test_server_limits.py` reaches it."""
MAX_HEADER_BYTES = 1024
"""Bytes of a header on a socket, within which it must be seen to be one; else the connection ends.
`tests/server/test_server_limits.py` reaches it."""

# worker_client.py
MAX_FAILURES = 1_000
"""Requests that took too much memory and are remembered, so that they are not tried again: the last ones.
`tests/server/test_server_limits.py` reaches it."""
MAX_TRIES = 2
"""Processes that may be lost over one piece of work: the second time it is no accident. `tests/server/test_heavy.py`
reaches it."""

# handlers/completion.py
MAX_COMPLETION_ITEMS = 500
"""Items in an answer, the most likely ones; of more, the answer says that it is incomplete.
`tests/server/methods/test_text_document_completion.py` reaches it."""

# handlers/document_symbol.py
MAX_SYMBOL_DEPTH = 50
"""Entries are nested so deep; those below stand side by side, as neither end reads JSON of any depth.
`tests/server/methods/test_text_document_document_symbol.py` reaches it."""

# handlers/selection_range.py
MAX_SELECTION_STEPS = 100
"""Steps of one answer, the innermost ones, and one that is all: each lies in the one before, and neither end reads JSON
of any depth. `tests/server/methods/test_text_document_selection_range.py` reaches it."""
