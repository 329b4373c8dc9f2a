"""Of the names of a cluster those that one of its buffers may have: all that it flows to.

Where a cluster has too many paths to follow, each of its buffers is followed alone; what is decided for the sake of
others, and the flags that say who owns those, do not matter to it then. Where only buffers that this function need not
free join several clusters, as an argument that each may be instead, the cluster is split without these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import Origin, OriginKind
from memlane.flow.cfg.scc import reachable
from memlane.syntax.tree.tree import Op, Value


def reaching(cluster: Cluster, origin: Origin) -> Cluster:
    """The part of a cluster in which one of its buffers may be; buffers not distinguished from it are included."""
    aliases = cluster.aliases() if cluster.aliases is not None else None
    if aliases is None or origin.symbol is not None:
        return Cluster([origin], cluster.root, cluster.aliases)

    def further(value: Value) -> Iterator[Value]:
        yield cluster.root[value]
        yield from (target for target, _ in aliases.flows(value) if target in cluster.root)

    starts = {one.value for one in cluster.origins if one is origin or _together(one, origin)}
    found = set(reachable(starts, further))
    root = {value: at for value, at in cluster.root.items() if value in found}
    return Cluster([origin], root, cluster.aliases)


def owned_apart(cluster: Cluster) -> list[Cluster]:
    """The parts of a cluster with buffers that this function has to free, of which none may have a name in another:
    each with its own names alone."""
    aliases = cluster.aliases() if cluster.aliases is not None else None
    if aliases is None or any(origin.symbol is not None for origin in cluster.origins):
        return [cluster]
    owned = [origin for origin in cluster.origins if origin.owned]
    links: dict[Value, list[Value]] = {}
    made_by: dict[Op | None, Value] = {}
    for origin in owned:  # a call may give one buffer under two names
        links[origin.value] = [made_by.setdefault(origin.value.op, origin.value)]
    pending = [*links]
    while pending:
        value = pending.pop()
        targets = [cluster.root[value], *(target for target, _ in aliases.flows(value) if target in cluster.root)]
        pending.extend(target for target in targets if target not in links)
        links.setdefault(value, []).extend(targets)
        for target in targets:
            links.setdefault(target, [])
    part = _components(links)
    parts: dict[int, Cluster] = {}
    for origin in owned:
        parts.setdefault(part[origin.value], Cluster(aliases=cluster.aliases)).origins.append(origin)
    for value, root in cluster.root.items():
        if value in part:
            parts[part[value]].root[value] = root
    return [*parts.values()]


def _components(links: Mapping[Value, Iterable[Value]]) -> dict[Value, int]:
    """A number for each value, the same for those that are linked, in whichever direction."""
    near: dict[Value, list[Value]] = {value: [] for value in links}
    for value, others in links.items():
        for other in others:
            near[value].append(other)
            near[other].append(value)
    found: dict[Value, int] = {}
    for number, first in enumerate(near):
        pending = [first]
        while pending:
            value = pending.pop()
            if value not in found:
                found[value] = number
                pending.extend(near[value])
    return found


def _together(one: Origin, other: Origin) -> bool:
    """Whether two may be one buffer: callers may pass one twice, and calls give one under two names."""
    if one.kind is OriginKind.ARGUMENT or other.kind is OriginKind.ARGUMENT:
        return one.kind is other.kind
    return one.value.op is other.value.op
