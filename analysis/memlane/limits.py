"""The limits of `memlane`, each with what it counts."""

from __future__ import annotations

# compare.py
MAX_NODES = 300
"""Nodes of a product graph, where peaks need not be exact. `tests/peak/test_quick_bounds.py` reaches it."""
MAX_CHANGES = 4
"""Operations inside operations of a computation by which a value is recognised; deeper ones count by their names.
`tests/peak/test_versions.py` reaches it."""

# format.py
MAX_EXPRESSION_LENGTH = 80
"""Characters of a symbolic size in a message, a table or a lens; hovers and JSON have all of it.
`tests/api/test_sizes_in_words.py` reaches it."""

# integers.py
MAX_DIGITS = 40
"""Numbers of 128 bits have 39. `tests/flow/test_numerals.py` reaches it."""
MAX_BYTES = 1 << 512
"""Sizes from here on are unknown. Those that wrap in 64 bits are known: rules report them.
`tests/flow/test_numerals.py` reaches it."""

# line_diff.py
MAX_LINES_WHOLE = 200
"""Lines of both versions up to which `difflib` compares them as they are. `tests/hostile/test_growth_of_reports.py`
reaches it."""
MAX_CUTS = 8
"""How often what lies between lines that both versions have once is cut again by those that are there once in it: each
time all of it is looked at. `tests/fixes/test_differing.py` reaches it."""

# read_file.py
MAX_BYTES_READ = 1 << 31
"""Bytes of the largest program, or line of a log, that is read: Python takes several times as many to look into it.
`tests/hostile/test_endless.py` reaches it."""
MAX_SETTINGS_BYTES = 1 << 24
"""Bytes of the largest file with settings, models of dialects, or patterns of names. `tests/hostile/test_endless.py`
reaches it."""

# savings.py
MAX_MEASURED = 15
"""Functions of one text whose peaks are computed to find `MAX_SAVINGS` that could be lower.
`tests/cli/test_cli_savings.py` reaches it."""
MAX_NODES_MEASURED = 500
"""Nodes of the product graph of one of them (`MAX_PRODUCT_NODES`); where that is too few, it is not measured. Of 865
functions of real and generated programs that have one all 98 with an exact peak that is worth a line need fewer.
`tests/cli/test_cli_savings.py` reaches it."""
MAX_SAVINGS = 5
"""Functions of one text with a lower ideal that are reported: as many as are shown. `tests/cli/test_cli_savings.py`
reaches it."""
MIN_RATIO = 2
"""A peak of so many times the ideal is worth a line. `tests/cli/test_cli_savings.py` reaches it."""

# source_frames.py
MAX_DEPTH = 100
"""Locations inside locations that are read. `tests/api/test_source_frames.py` reaches it."""
MAX_PARTS = 1_000
"""Parts of a location that are looked at: frames, and aliases that stand for more of them. Of more, the first count.
`tests/api/test_source_frames.py` reaches it."""
