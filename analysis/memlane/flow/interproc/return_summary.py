"""What a function gives back, by its text: which of its arguments, which buffers that are new, and which codes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from memlane.flow.alias.alias import Aliases, Cluster
from memlane.flow.alias.origin import OriginKind
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import edges_within
from memlane.flow.derived import query
from memlane.flow.effects.aggregate_buffers import handed_back
from memlane.flow.interproc.function import FunctionFlow
from memlane.flow.interproc.limits import MAX_CODES
from memlane.flow.memory.effects_at import effects_at, handed_on
from memlane.flow.memory.extern_aliases import Indirect
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.symbolic.scalar import Expr
from memlane.flow.symbolic.types import is_integer, may_hold_buffer
from memlane.syntax.tree.tree import Op, Value


def returned(flow: FunctionFlow, aliases: Aliases) -> tuple[frozenset[int], ...]:
    """Per result the positions of the arguments it may be, also by way of functions without a description, and a
    negative number where others may be the same."""
    found: list[set[int]] = []
    for op in exits(flow):
        values = handed_back(flow.graph, op)
        found.extend(set[int]() for _ in values[len(found) :])
        together: dict[Cluster, list[int]] = {}
        for index, value in enumerate(values):
            cluster = aliases.cluster_of(value) if value is not None else None
            if cluster is not None:
                together.setdefault(cluster, []).append(index)
        for cluster, indices in together.items():
            arguments = arguments_in(cluster)
            new = len(indices) > 1 and any(one.kind is not OriginKind.ARGUMENT for one in cluster.origins)
            for index in indices:
                found[index] |= {*arguments, -1 - indices[0]} if new else arguments
        for name in handed_on(flow.graph, op):
            for index in _given_by(name, values, aliases):
                found[index] |= arguments_in(aliases.cluster_of(name))
    return tuple(frozenset(positions) for positions in found)


def _given_by(name: Indirect, values: Sequence[Value | None], aliases: Aliases) -> list[int]:
    """The positions of the returned values that may be an argument of a call by that name."""
    calls = {name.call, *(use.op for use in name.uses)}
    places = [at for at, value in enumerate(values) if value is not None and may_hold_buffer(value.type)]
    clusters = {at: aliases.cluster_of(value) for at in places if (value := values[at]) is not None}
    near = [at for at, one in clusters.items() if one is None or any(o.value.op in calls for o in one.origins)]
    return near or places


def arguments_in(cluster: Cluster | None) -> frozenset[int]:
    """The positions of the arguments of which a cluster has buffers."""
    origins = cluster.origins if cluster is not None else ()
    return frozenset(one.value.index for one in origins if one.kind is OriginKind.ARGUMENT)


def exits(flow: FunctionFlow) -> Iterator[Op]:
    """The ops that end a function and give something back."""
    for block in flow.op.regions[0].blocks:
        if block.ops and effects_at(flow.graph, block.ops[-1]).returned:
            yield block.ops[-1]


def told_of(flow: FunctionFlow, wanted: tuple[int, ...]) -> tuple[int, ...]:
    """Those of some results of a function of which it tells callers something: not what it counts or computes, but
    codes, which are one of a few constants whichever way it ends, as a status is, or what its callees tell."""
    computed = query(flow, _computed)
    return tuple(at for at in wanted if at not in computed) if computed else wanted


def _computed(flow: FunctionFlow) -> frozenset[int]:
    """The positions of results that are numbers and no codes."""
    found: dict[int, set[int] | None] = {}
    for op in exits(flow):
        for index, value in enumerate(handed_back(flow.graph, op)):
            if value is not None and is_integer(value.type) and value.type != "i1":
                before, codes = found.get(index, set[int]()), _constants(flow, value)
                found[index] = None if before is None or codes is None else before | codes
    return frozenset(index for index, codes in found.items() if codes is None or len(codes) > MAX_CODES)


def _constants(flow: FunctionFlow, value: Value) -> set[int] | None:
    """The constants that a value may be, except for results of functions of the program, which answer for themselves;
    None: it may be another value, or there are many."""
    graph, found = flow.graph, set[int]()
    pending: list[Expr] = [scalar_of(graph, value)]
    seen: set[Value] = set()
    while pending:
        expr = pending.pop()
        if expr[0] == "const":
            found.add(expr[1])
        elif expr[0] == "select":
            pending += expr[2:]
        elif expr[0] != "leaf":
            return None
        elif expr[1] not in seen:
            seen.add(expr[1])
            if expr[1].op in flow.calls:
                continue
            sources = [s for edge in _binding(graph, expr[1]) for s, receiver in edge.bindings if receiver is expr[1]]
            if not sources or None in sources or len(seen) > MAX_CODES:
                return None
            pending += [scalar_of(graph, source) for source in sources if source is not None]
    return found


def _binding(graph: Graph, value: Value) -> Iterable[Edge]:
    """The edges that may give a value: to a block of its function, or out of the regions of an op."""
    if value.op is not None:
        return edges_within(graph, value.op)
    block = value.block
    return graph.entering(block) if block is not None and block.index > 0 else ()
