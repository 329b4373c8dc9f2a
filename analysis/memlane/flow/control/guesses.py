"""Values that stand for a buffer only because nobody knows better: what an operation without a model gives.

Such a value may be anything that the operation was given. To free or keep that takes care; to say that a function gives
one buffer back twice, or its caller's own, nothing but the guess would speak for it.
"""

from __future__ import annotations

from collections.abc import Collection

from memlane.flow.control.graph import Graph
from memlane.flow.scalars.types import is_buffer, is_pointer
from memlane.syntax.tree.tree import Value


def guessed(graph: Graph, root: Value) -> bool:
    """Whether an operation nobody described gave the value."""
    return root.op is not None and graph.effects(root.op).unknown


def surely_same(graph: Graph, root: Value, others: Collection[Value]) -> bool:
    """Whether one of `others`, values of the buffer that `root` has, has it for more than a guess."""
    if root in others:
        return True
    return not guessed(graph, root) and any(not guessed(graph, other) for other in others)


def may_lend(graph: Graph, root: Value, value: Value) -> bool:
    """Whether there is reason to take `value` for a buffer of the caller: more than a guess, or a type of memory."""
    return is_buffer(value.type) or is_pointer(value.type) or not guessed(graph, root)
