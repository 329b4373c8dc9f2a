"""The limits of `memlane/flow/peak`, each with what it counts."""

from __future__ import annotations

# build_product.py
MAX_USES_ALL_EXPLORED = 400
"""Uses of buffers up to which all of a function's are followed along its paths. `tests/peak/test_agreement.py` reaches
it."""
MAX_BUFFERS_ALL_EXPLORED = 32
"""Buffers up to which those that live in several blocks are followed in any case.
`tests/hostile/test_growth_of_reports.py` reaches it."""
MAX_USES_EXPLORED = 4_000
"""Uses of buffers beyond which those that paths decide about are bounded instead. `tests/peak/test_agreement.py`
reaches it."""

# call_demands.py
MAX_PRODUCT_NODES = 2000
"""Nodes of one product graph, and steps that are taken for it: a call with ten ways takes ten.
`tests/peak/test_first_use.py` reaches it."""
MAX_QUESTIONS = 200
"""How often functions that call each other are followed for one peak: from loops and branches they ask without end.
`tests/fuzz/test_fuzz.py` reaches it."""

# callee_outcomes.py
MAX_OUTCOMES = 32
"""Ways through a call that callers tell apart. `tests/peak/test_first_use.py` reaches it."""
MAX_NEEDS_PER_WAY = 16
"""Amounts of memory of one way; of more, those that others bound are joined."""

# demand.py
MAX_NEEDS = 24
"""Amounts of memory of one function; of more, those that others bound are joined."""

# exploded_paths.py
MAX_NODES = 12_000
"""Nodes that one graph may have."""
MAX_HELD = 100_000
"""Buffers that all its nodes together may name: what is done at a node takes as long as there are.
`tests/fixes/test_forgetting.py` reaches it."""
MAX_HELD_BY_FEW = 400_000
"""The same where choices are not distinguished: then there are few nodes."""

# extent.py
MAX_STEPS = 32
"""Steps back from a size to what it is computed from."""
