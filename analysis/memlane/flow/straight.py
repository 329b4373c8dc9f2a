"""Buffers about which there is nothing to say, as their block shows: made, used and freed in it, in this order.

Following such a buffer along the paths of its function would find nothing: what happens to it is decided wherever its
block is entered, and ends there. They are the most, and following them would cost as much as the blocks around them.
"""

from __future__ import annotations

from memlane.flow.alias import Cluster, Origin, OriginKind
from memlane.flow.graph import Graph
from memlane.flow.sizes import size_of
from memlane.syntax.tree import Op


def uneventful(graph: Graph, cluster: Cluster) -> bool:
    """Whether the explorer, asked about the cluster, would find neither incidents nor late deallocations.

    False where that takes more than a look: where paths, callees, tokens or ops nobody described have a say.
    """
    origin = cluster.origins[0]
    made = origin.value.op
    if made is None or made.parent is None or not _simple(cluster, origin):
        return False
    users = {use.op for value in cluster.root for use in value.uses}
    if any(user.parent is not made.parent or user.regions or user.successors for user in users):
        return False
    effects = graph.effects(made)
    if len(effects.allocs) != 1 or effects.frees or effects.completion or effects.unknown:
        return False
    ordered = sorted(users, key=_index)
    if not ordered or not _frees(graph, ordered[-1], cluster, origin):
        return False
    size = size_of(origin.value)
    written = effects.filled or (size is not None and size.bytes == 0)
    for user in ordered:
        found = _after(graph, user, user is ordered[-1], cluster, written)
        if found is None:
            return False
        written = found
    last = ordered[-2] if len(ordered) > 1 else made
    return not _late(graph, last, ordered[-1])


def _simple(cluster: Cluster, origin: Origin) -> bool:
    return (
        len(cluster.origins) == 1
        and origin.kind is OriginKind.ALLOCATION
        and origin.owned
        and origin.symbol is None
        and all(root is origin.value for root in cluster.root.values())
    )


def _frees(graph: Graph, op: Op, cluster: Cluster, origin: Origin) -> bool:
    """Whether an op frees the buffer in any case, and as it should be."""
    effects = graph.effects(op)
    if len(effects.frees) != 1 or effects.allocs:
        return False
    free = effects.frees[0]
    right = free.resource == origin.resource and (free.value.type or "").startswith("memref<")
    return right and free.value in cluster.root and free.condition is None and not free.retained


def _after(graph: Graph, user: Op, last: bool, cluster: Cluster, written: bool) -> bool | None:
    """Whether the buffer has contents after one of its users; None where that does more than read and write."""
    effects = graph.effects(user)
    if graph.call(user) is not None or effects.unknown or effects.completion or (effects.frees and not last):
        return None
    elsewhere = (*effects.escapes, *effects.acquires, *effects.returned, *effects.packed)
    if any(value in cluster.root for value in elsewhere):
        return None
    for value in dict.fromkeys((*effects.reads, *effects.writes)):
        if value in cluster.root:
            if value in effects.reads and not written:
                return None
            written = written or value in effects.writes
    return written


def _late(graph: Graph, last: Op, freed: Op) -> bool:
    """Whether work stands between two ops of a block."""
    block = freed.parent
    assert block is not None
    start = last.index + 1
    return start < freed.index and graph.work_before(freed) > graph.work_before(block.ops[start])


def _index(op: Op) -> int:
    return op.index
