"""Operations that give a buffer back for another one, and may fail to.

`realloc` of C gives null where there is no memory, and what it was passed stays (C11, 7.22.3.5): code that tests the
result for null is right to free the argument then.
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.flow.cfg.graph import Graph
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.types import is_pointer
from memlane.syntax.tree.tree import Op, Value


def replaces(graph: Graph, part: Slice, value: Value) -> bool:
    """Whether a value is the new buffer that an op gives for one of those that are followed."""
    if value.op is None or not gives_another(graph, value):
        return False
    return any(free.value in part.root for free in effects_at(graph, value.op).frees)


def gives_another(graph: Graph, value: Value) -> bool:
    """Whether a value is the new buffer that an op gives for another."""
    return value.op is not None and is_pointer(value.type) and value in _given(graph, value.op)


def may_fail(graph: Graph, part: Slice, op: Op) -> bool:
    """Whether an op that frees a buffer gives another one for it, by a pointer that the text compares under another
    name: consequences of that are unknown. Where it is the same name they are known; see `replaces`."""
    return any(is_pointer(value.type) and _is_compared(part, value) for value in _given(graph, op))


def _given(graph: Graph, op: Op) -> Iterator[Value]:
    effects = effects_at(graph, op)
    return (value for value, _ in effects.allocs if effects.frees)


def _is_compared(part: Slice, value: Value) -> bool:
    cluster = part.among(value)
    names = cluster.root if cluster is not None else ()
    uses = (use for name in names if name is not value for use in name.uses)
    return any(use.op.results and use.op.results[0].type == "i1" for use in uses)
