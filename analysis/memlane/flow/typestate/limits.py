"""The limits of `memlane/flow/typestate`, each with what it counts."""

from __future__ import annotations

# apply_summary.py
MAX_COMPUTED = 1_000
"""The largest number that a callee computes and its own callees are asked about: a chain of functions that each call
the next one with two numbers would ask twice as much of each. `tests/flow/test_edits_between_ops.py` reaches it."""

# bug_path.py
MAX_CHOICES_SHOWN = 128
"""The maximum of choices of a path in a report, the last ones: else a function with as many events as branches would
have a quadratic number of notes. `tests/flow/test_call_limits.py` reaches it."""

# call_conditions.py
MAX_CONDITIONS_SHOWN = 3
"""Conditions that a note lists one by one, and ways of a call. `tests/fixes/test_reduction.py` reaches it."""

# explorer.py
MAX_PAIRS = 12_000
"""Pairs of point and state that one exploration may expand, and for each point of its slice.
`tests/flow/test_budget.py` reaches it."""
MIN_STEPS_BEFORE_ACCELERATION = 3_000
"""So many steps, and one for each point, are taken before iterations that change nothing are no longer distinguished.
`tests/flow/test_loop_acceleration.py` reaches it."""
MIN_STEPS_BEFORE_LIVENESS = 200
"""So many steps, and two for each point, are taken before it is asked what paths may forget: that costs, too.
`tests/flow/test_budget_is_enough.py` reaches it."""
MIN_HEAVY_STATE = 16
"""Buffers and facts of a state, on average, from which on it is asked sooner: a step costs as much as there are.
`tests/flow/test_state_liveness.py` reaches it."""
MAX_BUFFERS_PER_STATE = 32
"""So many buffers of a state, on average, go with that budget: each step looks at all of them. With more of them fewer
steps are taken. `tests/flow/test_budget.py` reaches it."""

# negative_values.py
MAX_CALL_WAYS = 256
"""Ways of one call, with those besides where numbers that it is passed are below zero. Before there are more, the other
numbers are taken as the callee takes them. `tests/flow/test_call_limits.py` reaches it."""

# path_choices.py
MIN_LOOKS = 5_000
"""Pairs that are looked at to explain the events of one exploration, besides `MAX_LOOKS_PER_PAIR`; after these further
choices are not left out. So the work grows with the program where there is an event in each part of it, and the few
events of other functions are explained in full. `tests/flow/test_steps.py` reaches it."""
MAX_LOOKS_PER_PAIR = 8
"""The same for each pair that the exploration has reached. `tests/flow/test_grading.py` reaches it."""
MAX_END = 64
"""Pairs at the end of a path among which the buffer's allocation and the cause of the event are looked for, once there
is no time left to explain events: else a function with as many events as branches would take quadratic time.
`tests/flow/test_grading.py` reaches it."""

# property_simulation.py
MAX_KNOWN = 64
"""What is known on paths, from which on only that is remembered which tells a state from others at its point: that none
of n flags was true is a state of its own where any of them has something written, and n facts at n points.
`tests/paths/test_simulation.py` reaches it."""

# switch_folding.py
MIN_EDGES = 8
"""Edges, from which on it is worth asking. `tests/paths/test_cases.py` reaches it."""

# transfer.py
MAX_OWNERS = 8
"""Owners that one buffer has besides the first, up to which they are counted. One that has more may have that many, or
still more, whenever one of them leaves. `tests/flow/test_call_limits.py` reaches it."""
