"""The limits of `memlane/flow/interproc`, each with what it counts."""

from __future__ import annotations

# aliased_arguments.py
MAX_PARTITIONS = 64
"""Ways in which several arguments of one function are one buffer that are distinguished: each requires a call that
leaves the report to the function. Beyond this limit violations are not reported. `tests/flow/test_call_limits.py`
reaches it."""

# context_abstraction.py
MAX_FOLLOWED_OPS = 50_000
"""Operations that are followed, in all, for the different numbers that one function passes to another.
`tests/flow/test_callee_queries.py` reaches it."""
MIN_DISTINGUISHED = 16
"""Numbers that are always distinguished. `tests/flow/test_callee_queries.py` reaches it."""

# program.py
MAX_CONTEXTS = 8
"""Contexts in which a private function is followed apart; more are joined. `tests/flow/test_callee_queries.py` reaches
it."""

# return_summary.py
MAX_CODES = 8
"""Numbers that a result may be and is still a code, which callers see: each makes ways of its own. Of one that may
be more they know nothing. `tests/flow/test_call_limits.py` reaches it."""

# scc_solver.py
MAX_GROWTHS = 7
"""Times that the answer to one question within a group may grow; one that grows on is not known.
`tests/peak/test_recursive_needs.py` reaches it."""
MAX_NESTED = 24
"""Questions within questions, before the stack is left. `tests/hostile/test_chains_of_calls.py` reaches it."""

# split_by_alias.py
MAX_NAMES_TOGETHER = 64
"""Names that are followed together. `tests/flow/test_budget_is_enough.py` reaches it."""

# summary_engine.py
MAX_OUTCOMES = 64
"""Ways of one call. `tests/flow/test_budget_is_enough.py` reaches it."""
MAX_GROUP_PAIRS = 6_000
"""Pairs of point and state that all questions about one of the functions that call each other may reach, and beside
that for each of its operations. `tests/flow/test_budget_is_enough.py` reaches it."""
