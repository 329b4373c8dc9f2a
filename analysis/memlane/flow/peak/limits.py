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
"""How often each of some functions that call each other is followed for one peak, on average: from loops and branches
they ask without end.
`tests/fuzz/test_fuzz.py` reaches it."""

# callee_outcomes.py
MAX_OUTCOMES = 32
"""Ways through a call that callers tell apart. `tests/peak/test_first_use.py` reaches it."""
MAX_NEEDS_PER_WAY = 16
"""Amounts that one way of a call takes, each with what it is passed that lives at the same time. Where there are more,
one that none exceeds stands for all, with all that is passed. `tests/peak/test_need_limits.py` reaches it."""

# demand.py
MAX_NEEDS = 24
"""Sets of buffers that are needed later, at one place on different paths. Where there are more, all of these buffers
count as needed on each. `tests/peak/test_need_limits.py` reaches it."""

# exploded_paths.py
MAX_NODES = 5_000
"""Nodes that the graph of paths along which deallocations are placed may have. Where there are more, paths that forget
more are enough, or nothing is repaired. Of 150 generated programs all are repaired with 5,000 as with 12,000; with
3,000 one gets a flag that it does not need. `tests/peak/test_need_limits.py` reaches it."""
MAX_HELD = 100_000
"""Buffers that all its nodes together may name: what is done at a node takes as long as there are.
`tests/fixes/test_forgetting.py` reaches it."""
MAX_HELD_BY_FEW = 400_000
"""The same where choices are not distinguished: then there are few nodes. `tests/peak/test_need_limits.py` reaches
it."""

# extent.py
MAX_STEPS = 32
"""Casts from a buffer of which a dimension is asked back to the one that was allocated. Behind more, it is a size of
its own. `tests/peak/test_need_limits.py` reaches it."""
