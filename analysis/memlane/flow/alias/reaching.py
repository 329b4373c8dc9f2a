"""Of the names of a cluster those that one of its buffers may have: all that it flows to.

Where a cluster has too many paths to follow, each of its buffers is followed alone; what is decided for the sake of
others, and the flags that say who owns those, do not matter to it then.
"""

from __future__ import annotations

from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import Origin, OriginKind
from memlane.syntax.tree.tree import Value


def reaching(cluster: Cluster, origin: Origin) -> Cluster:
    """The part of a cluster in which one of its buffers may be; what it is not told apart from comes with it."""
    aliases = cluster.aliases() if cluster.aliases is not None else None
    if aliases is None or origin.symbol is not None:
        return Cluster([origin], cluster.root, cluster.aliases)
    found: set[Value] = set()
    pending = [one.value for one in cluster.origins if one is origin or _together(one, origin)]
    while pending:
        value = pending.pop()
        if value not in found:
            found.add(value)
            pending.append(cluster.root[value])
            pending.extend(target for target, _ in aliases.flows(value) if target in cluster.root)
    root = {value: at for value, at in cluster.root.items() if value in found}
    return Cluster([origin], root, cluster.aliases)


def _together(one: Origin, other: Origin) -> bool:
    """Whether two may be one buffer: callers may pass one twice, and calls give one under two names."""
    if one.kind is OriginKind.ARGUMENT or other.kind is OriginKind.ARGUMENT:
        return one.kind is other.kind
    return one.value.op is other.value.op
