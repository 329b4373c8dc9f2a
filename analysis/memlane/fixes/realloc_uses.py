"""Uses of a buffer that an operation has replaced by a new one (`memref.realloc`): they should be uses of the new one.

No execution that is defined looks at the old buffer, so nothing that has a meaning changes it.
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Edit
from memlane.fixes.edit_writer import Writer
from memlane.flow import FunctionFlow, Program
from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import OriginKind
from memlane.flow.cfg.region_edges import ancestor
from memlane.flow.interproc.out_of_sight import replaced
from memlane.flow.memory.call_arguments import arguments_of
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.symbolic.sizes import size_of
from memlane.flow.symbolic.types import is_pointer
from memlane.syntax.tree.tree import Op, Use, Value
from memlane.text import Text


def renewed(flow: FunctionFlow, cluster: Cluster, text: Text) -> tuple[Edit, ...]:
    """The edits that let later uses of each buffer that was replaced name its successor, where the types agree."""
    writer = Writer(text)
    for value in cluster.root:
        for op, new in _replaced(flow, value):
            for use in value.uses:
                if _follows(use, op):
                    writer.replace(use.span, new.name)
    return writer.edits()


def replaces_argument(program: Program, flow: FunctionFlow, cluster: Cluster) -> bool:
    """Whether an operation gives a buffer of a cluster in the place of one that may be the caller's. It gives back the
    same memory where that is large enough, and a caller that does not know of it goes on to use and free it."""
    aliases = program.aliases(flow)
    for op in dict.fromkeys(origin.value.op for origin in cluster.origins):
        effects = effects_at(flow.graph, op) if op is not None else None
        for free in effects.frees if effects is not None and effects.allocs else ():
            freed = aliases.cluster_of(free.value)
            callers = freed is not None and any(one.kind is OriginKind.ARGUMENT for one in freed.origins)
            if callers and effects is not None and not _grows(free.value, effects.allocs[0][0]):
                return True
    return False


def may_not_be_freed(program: Program, flow: FunctionFlow, cluster: Cluster) -> bool:
    """Whether an operation, or a function that it calls, frees a buffer of a cluster, gives a pointer to another one
    for it, and may fail to: then the buffer has not been freed."""
    for op in {use.op: None for value in cluster.root for use in value.uses}:
        effects = effects_at(flow.graph, op)
        if effects.frees and any(is_pointer(value.type) for value, _ in effects.allocs):
            return True
        passed = arguments_of(flow.graph, op) if flow.graph.call(op) is not None else ()
        if passed and any(at < len(passed) and passed[at] in cluster.root for _, at in replaced(program, op)):
            return True
    return False


def _grows(old: Value, new: Value) -> bool:
    """Whether types say that a buffer is larger than the one that it replaces: then it is other memory."""
    before, after = size_of(old, allocated=False), size_of(new, allocated=False)
    if before is None or after is None or before.bytes is None or after.bytes is None:
        return False
    return before.bytes < after.bytes


def _replaced(flow: FunctionFlow, value: Value) -> Iterator[tuple[Op, Value]]:
    """The operations that free `value` and give another buffer instead."""
    for use in value.uses:
        effects = effects_at(flow.graph, use.op)
        freed = [free for free in effects.frees if free.value is value and free.condition is None]
        if freed and len(effects.allocs) == 1 and effects.allocs[0][0].type == value.type:
            yield use.op, effects.allocs[0][0]


def _follows(use: Use, op: Op) -> bool:
    """Whether a use comes after `op` in its block, or in an operation there."""
    after = ancestor(use.op, op.parent)
    return after is not None and after.index > op.index
