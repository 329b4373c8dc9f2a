"""What a function gives back, by its text: which of its arguments, and which buffers that are new."""

from __future__ import annotations

from collections.abc import Iterator

from memlane.flow.alias.alias import Aliases, Cluster, OriginKind
from memlane.flow.calls.function import FunctionFlow
from memlane.syntax.tree.tree import Op


def returned(flow: FunctionFlow, aliases: Aliases) -> tuple[frozenset[int], ...]:
    """Per result the positions of the arguments it may be, and a negative number where others may be the same."""
    found: list[set[int]] = []
    for op in exits(flow):
        values = flow.graph.handed(op)
        found.extend(set[int]() for _ in values[len(found) :])
        together: dict[Cluster, list[int]] = {}
        for index, value in enumerate(values):
            cluster = aliases.cluster_of(value) if value is not None else None
            if cluster is not None:
                together.setdefault(cluster, []).append(index)
        for cluster, indices in together.items():
            arguments = {one.value.index for one in cluster.origins if one.kind is OriginKind.ARGUMENT}
            new = len(indices) > 1 and any(one.kind is not OriginKind.ARGUMENT for one in cluster.origins)
            for index in indices:
                found[index] |= {*arguments, -1 - indices[0]} if new else arguments
    return tuple(frozenset(positions) for positions in found)


def exits(flow: FunctionFlow) -> Iterator[Op]:
    """The ops that end a function and give something back."""
    for block in flow.op.regions[0].blocks:
        if block.ops and flow.graph.effects(block.ops[-1]).returned:
            yield block.ops[-1]
