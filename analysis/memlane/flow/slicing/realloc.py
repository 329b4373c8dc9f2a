"""Operations that give a buffer back for another one, and may fail to.

`realloc` of C gives null where there is no memory, and what it was passed stays (C11, 7.22.3.5): code that tests the
result for null is right to free the argument then.
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.call_outcomes import Callees
from memlane.flow.memory.call_arguments import arguments_of
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.types import is_pointer
from memlane.syntax.tree.tree import Op, Value


def replaces(graph: Graph, part: Slice, callees: Callees | None, value: Value) -> bool:
    """Whether a value is the new buffer that an op, or a callee, gives for one of those that are followed."""
    if value.op is None or not is_pointer(value.type):
        return False
    if graph.call(value.op) is not None and callees is not None:
        passed = any(one in part.root for one in arguments_of(graph, value.op))
        return passed and value.index in callees.replaced(value.op)
    return gives_another(graph, value) and any(f.value in part.root for f in effects_at(graph, value.op).frees)


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
