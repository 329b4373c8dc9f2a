"""The limits of `memlane/flow/scalars`, each with what it counts."""

from __future__ import annotations

# assertions.py
MAX_ASSERTIONS = 8
"""Assertions about one value that are looked at: the last ones before a place. `tests/flow/test_number_limits.py`
reaches it."""

# dimensions.py
MAX_CASTS = 24
"""Casts of casts that are looked through. `tests/flow/test_number_limits.py` reaches it."""

# expressions.py
MAX_DEPTH = 24
"""Operations inside operations of an expression; what is deeper is a name. `tests/flow/test_number_limits.py` reaches
it."""
MAX_FLAG_PARTS = 4_000
"""Parts of a flag that says who owns a buffer: of one `bufferization.dealloc` there are five for each memref.
`tests/flow/test_number_limits.py` reaches it."""
MAX_NUMBER_PARTS = 64
"""The same of a number. What is computed twice with each number, as the bounds of tiles in tiles are, doubles them.
`tests/flow/test_numerals.py` reaches it."""

# pointer_alignment.py
MAX_MOVES = 16
"""Operations that an address may be moved by, one after the other. `tests/flow/test_reused_results.py` reaches it."""
MAX_ALIGNMENT = 1 << 16
"""Bytes. No program aligns to more; memory farther on may be a tool's own for each address, such as a shadow.
`tests/ide/test_partial_programs.py` reaches it."""

# trip_count.py
MAX_HOLES = 64
"""Numbers between the bounds of a loop of which those are listed that its counter leaves out.
`tests/cli/test_cli_cache.py` reaches it."""
