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
    return value.op is not None and value in _given(graph, part, callees, value.op)


def may_fail(graph: Graph, part: Slice, callees: Callees | None, op: Op) -> bool:
    """Whether an op, or a callee, that frees a buffer gives another one for it, by a pointer that the text compares
    under another name: consequences of that are unknown. Where it is the same name they are known; see `replaces`."""
    return any(_is_compared(part, value) for value in _given(graph, part, callees, op))


def _given(graph: Graph, part: Slice, callees: Callees | None, op: Op) -> list[Value]:
    """The pointers that an op, or a callee, gives for buffers that are followed."""
    effects = effects_at(graph, op)
    found = [value for value, _ in effects.allocs if any(free.value in part.root for free in effects.frees)]
    if callees is not None and graph.call(op) is not None:
        passed = arguments_of(graph, op)
        places = {result for result, at in callees.replaced(op) if at < len(passed) and passed[at] in part.root}
        found += [result for result in op.results if result.index in places]
    return [value for value in found if is_pointer(value.type)]


def _is_compared(part: Slice, value: Value) -> bool:
    cluster = part.among(value)
    names = cluster.root if cluster is not None else ()
    uses = (use for name in names if name is not value for use in name.uses)
    return any(use.op.results and use.op.results[0].type == "i1" for use in uses)
