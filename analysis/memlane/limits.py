"""The limits of `memlane`: how much is looked at, before less is told apart."""

from __future__ import annotations

# compare.py
MAX_NODES = 300
"""Nodes of a product graph, where peaks need not be exact."""
MAX_CHANGES = 4
"""Operations inside operations of a computation by which a value is recognised; deeper ones count by their names."""

# format.py
MAX_EXPRESSION_LENGTH = 80
"""Characters of a symbolic size in a message, a table or a lens; hovers and JSON have all of it."""

# integers.py
MAX_DIGITS = 40
"""Numbers of 128 bits have 39."""
MAX_BYTES = 1 << 512
"""Sizes from here on are unknown. Those that wrap in 64 bits are known: rules report them."""

# line_diff.py
MAX_LINES_WHOLE = 200
"""Lines of both versions up to which `difflib` compares them as they are."""
MAX_CUTS = 8
"""How often what lies between such lines is cut again by lines that are there once."""

# read_file.py
MAX_BYTES_READ = 1 << 31
"""Bytes of the largest program, or line of a log, that is read: Python takes several times as many to look into it."""
MAX_SETTINGS_BYTES = 1 << 24
"""Bytes of the largest file with settings, models of dialects, or patterns of names."""

# savings.py
MAX_MEASURED = 15
"""Functions of one text: of some no bound is known, or they need what they take."""
MAX_SAVINGS = 5
"""Functions of one text that could take less: as many as are shown."""
MIN_RATIO = 2
"""A peak of so many times the ideal is worth a line."""

# source_frames.py
MAX_DEPTH = 100
"""Locations inside locations that are read."""
MAX_FRAMES = 200
"""Frames of a location that are looked at."""
