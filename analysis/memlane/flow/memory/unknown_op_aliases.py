"""Values that are assumed to denote a buffer as no model says otherwise: the results of operations without a model.

Such a value may be anything that the operation was given. To free or keep that takes care; to say that a function gives
one buffer back twice, or its caller's own, nothing but the guess would speak for it.
"""

from __future__ import annotations

from collections.abc import Collection

from memlane.flow.cfg.graph import Graph
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.symbolic.types import is_buffer, is_pointer
from memlane.syntax.tree.tree import Value


def guessed(graph: Graph, root: Value) -> bool:
    """Whether the value, or all that it derives from, is the result of an operation without a model."""
    pending, seen = [root], {root}
    while pending:
        value = pending.pop()
        effects = effects_at(graph, value.op) if value.op is not None else None
        if effects is not None and effects.unknown:
            continue
        sources = {one for view in effects.views if view.result is value for one in view.sources} if effects else ()
        if not sources:
            return False
        pending += (one for one in sources if one not in seen)
        seen.update(sources)
    return True


def surely_same(graph: Graph, root: Value, others: Collection[Value]) -> bool:
    """Whether one of `others`, values of the buffer that `root` has, has it for more than a guess."""
    if root in others:
        return True
    return not guessed(graph, root) and any(not guessed(graph, other) for other in others)


def may_lend(graph: Graph, root: Value, value: Value) -> bool:
    """Whether there is reason to take `value` for a buffer of the caller: more than a guess, or a type of memory."""
    return is_buffer(value.type) or is_pointer(value.type) or not guessed(graph, root)
