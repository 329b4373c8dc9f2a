"""Following one buffer under a few of its names at a time, where under all of them at once it has too many paths.

A buffer that flows into n merges, with a flag for each that says who owns what came out, may be any of 2 to the power
of n combinations behind them. But what goes wrong takes one name, or two: that under which the buffer is freed and
that under which it is used. So each name, with those that lead to it, is followed by itself, beside those under which
it is freed on some path, which are the first alone, as a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from memlane.findings import Certainty
from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import Origin
from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.events import EventKind
from memlane.flow.interproc.exploration_result import Explorations
from memlane.flow.interproc.limits import MAX_NAMES_TOGETHER
from memlane.flow.memory.call_arguments import arguments_of
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.typestate.cluster_result import Incident
from memlane.syntax.tree.tree import Op, Value

_OF_ALL = {EventKind.LEAK, EventKind.UNINITIALIZED_READ}
"""Violations that may be false where a name is left out under which something else happens."""
_Follow = Callable[[Cluster], "Explorations | None"]


class Several(NamedTuple):
    """What following a buffer name by name gives."""

    parts: tuple[Explorations, ...]

    @property
    def clean(self) -> bool:
        """See `Explorations.clean`."""
        return all(part.clean for part in self.parts)

    def incidents(self) -> Iterator[Incident]:
        """See `Explorations.incidents`; of those of one kind and place the first of the most certain."""
        found: dict[tuple[EventKind, Op], Incident] = {}
        for incident in (incident for part in self.parts for incident in part.incidents()):
            one = found.setdefault((incident.kind, incident.place), incident)
            if _certain(incident) > _certain(one):
                found[incident.kind, incident.place] = incident
        yield from found.values()


def by_name(graph: Graph, cluster: Cluster, origin: Origin, follow: _Follow) -> Several | None:
    """What following a buffer name by name gives; None: that does not tell.

    Args:
        cluster: of the names that it may have.
        follow: a part of them.
    """
    freeing = {cluster.root[origin.value]}
    parts = _parts(cluster, freeing)
    if parts is None or _given_away(graph, cluster, freeing):
        return None
    while len(freeing) <= MAX_NAMES_TOGETHER:
        found: list[Explorations] = []
        more: set[Value] = set()
        for names in parts:
            root = {value: at for value, at in cluster.root.items() if at in names or at in freeing}
            one = follow(Cluster([origin], root, cluster.aliases))
            if one is None or not _OF_ALL.isdisjoint(one.kinds):
                return None
            if any(held.is_worked_on or held.owners for held in one.buffers()):
                return None
            done = {held.freed for held in one.buffers() if held.freed is not None}
            under = {cluster.root[value] for op in done for value in _named(graph, op) if value in cluster.root}
            if not under <= freeing:
                more |= names
            found.append(one)
        if not more:
            return Several(tuple(found))
        if more <= freeing:
            return None
        freeing |= more
    return None


def _parts(cluster: Cluster, first: set[Value]) -> list[set[Value]] | None:
    """The names that lead to each to which none of the others is among these; None: that is no help."""
    before = _before(cluster)
    parts: list[set[Value]] = []
    known: set[Value] = set()
    for name in sorted(before, key=lambda value: -value.span.start):
        if name not in known:
            names = first | _leading(before, name)
            if len(names) > MAX_NAMES_TOGETHER or len(names) == len(before):
                return None
            known |= names
            parts.append(names)
    return parts


def _before(cluster: Cluster) -> dict[Value, set[Value]]:
    """Of each root those from which buffers come to it."""
    aliases = cluster.aliases() if cluster.aliases is not None else None
    found: dict[Value, set[Value]] = {root: set() for root in cluster.root.values()}
    for value, root in cluster.root.items():
        for target, _ in aliases.flows(value) if aliases is not None else ():
            if target in cluster.root:
                found[cluster.root[target]].add(root)
    return found


def _leading(before: dict[Value, set[Value]], name: Value) -> set[Value]:
    found: set[Value] = set()
    pending = [name]
    while pending and len(found) <= MAX_NAMES_TOGETHER:
        value = pending.pop()
        if value not in found:
            found.add(value)
            pending.extend(before[value])
    return found


def _given_away(graph: Graph, cluster: Cluster, first: set[Value]) -> bool:
    """Whether the buffer escapes under another name than the first: to the caller, or to unknown code."""
    for op in {use.op for value, root in cluster.root.items() if root not in first for use in value.uses}:
        effects = effects_at(graph, op)
        if any(cluster.root.get(one) for one in (*effects.returned, *effects.packed, *effects.escapes)):
            return True
    return False


def _certain(incident: Incident) -> tuple[bool, bool]:
    return incident.certainty is Certainty.ALWAYS, not incident.unsure


def _named(graph: Graph, op: Op) -> Iterator[Value]:
    """What an op may free."""
    if graph.call(op) is not None:
        yield from (value for value in arguments_of(graph, op) if value is not None)
    yield from (free.value for free in effects_at(graph, op).frees)
