"""What functions hand out: which of their buffers, and of which allocator, so that it goes back to the same one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from memlane.flow import FunctionFlow, OriginKind, Program
from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import Origin
from memlane.flow.memory.effects_at import effects_at
from memlane.syntax.tree.tree import Op, Value


def handed_out(program: Program, callee: FunctionFlow, index: int) -> Iterator[tuple[Op, Value, Cluster]]:
    """The operations that leave `callee`, with its result at `index` and what that may be."""
    aliases = program.aliases(callee)
    for block in callee.op.regions[0].blocks:
        last = block.ops[-1] if block.ops else None
        returned = effects_at(callee.graph, last).returned if last is not None else ()
        cluster = aliases.cluster_of(returned[index]) if index < len(returned) else None
        if last is not None and cluster is not None:
            yield last, returned[index], cluster


def of_allocators(program: Program, flow: FunctionFlow, cluster: Cluster, origin: Origin) -> frozenset[Origin]:
    """`origin` of `cluster` with the resource its buffer is of, as often as there may be different ones.

    Of what a call gives it is that of the function's own buffers; where it has no body, that of the operations which
    free it here; without such operations, that of the origin.
    """
    if origin.kind is not OriginKind.CALL:
        return frozenset((origin,))
    inside = _made(program, origin)
    freeing = inside or {
        free.resource
        for value, root in cluster.root.items()
        if root is origin.value
        for use in value.uses
        for free in effects_at(flow.graph, use.op).frees
        if free.value is value
    }
    return frozenset(replace(origin, resource=name) for name in freeing or {origin.resource})


def _made(program: Program, origin: Origin) -> set[str]:
    """The resources of the buffers that a call may return, as far as functions have bodies."""
    found: set[str] = set()
    seen: set[tuple[FunctionFlow, int]] = set()
    pending = [origin]
    while pending:
        call, index = pending[-1].value.op, pending.pop().value.index
        callee = program.callee(call) if call is not None else None
        if callee is None or (callee, index) in seen or callee.graph.entry is None:
            continue
        seen.add((callee, index))
        inside = [inner for _, _, cluster in handed_out(program, callee, index) for inner in cluster.origins]
        pending += (inner for inner in inside if inner.kind is OriginKind.CALL)
        found.update(inner.resource for inner in inside if inner.kind is not OriginKind.CALL and inner.owned)
    return found
