"""Operations that give a buffer back for another one, and may fail to.

`realloc` of C gives null where there is no memory, and what it was passed stays (C11, 7.22.3.5): code that tests the
result for null is right to free the argument then.
"""

from __future__ import annotations

from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.call_outcomes import Callees
from memlane.flow.memory.call_arguments import arguments_of
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.types import is_pointer
from memlane.syntax.tree.tree import Op, Value


def replaces(graph: Graph, part: Slice, callees: Callees | None, value: Value) -> bool:
    """Whether a value is the new buffer that an op, or a callee, gives for one of those that are followed."""
    if value.op is None or value not in _given(graph, callees, value.op):
        return False
    frees = [free.value for free in effects_at(graph, value.op).frees]
    return any(one in part.root for one in frees or arguments_of(graph, value.op))


def may_fail(graph: Graph, part: Slice, callees: Callees | None, op: Op) -> bool:
    """Whether an op, or a callee, that frees a buffer gives another one for it, by a pointer that the text compares
    under another name: consequences of that are unknown. Where it is the same name they are known; see `replaces`."""
    return any(_is_compared(part, value) for value in _given(graph, callees, op))


def _given(graph: Graph, callees: Callees | None, op: Op) -> list[Value]:
    effects = effects_at(graph, op)
    found = [value for value, _ in effects.allocs if effects.frees]
    if callees is not None and graph.call(op) is not None:
        places = callees.replaced(op)
        found += [result for result in op.results if result.index in places]
    return [value for value in found if is_pointer(value.type)]


def _is_compared(part: Slice, value: Value) -> bool:
    cluster = part.among(value)
    names = cluster.root if cluster is not None else ()
    uses = (use for name in names if name is not value for use in name.uses)
    return any(use.op.results and use.op.results[0].type == "i1" for use in uses)
