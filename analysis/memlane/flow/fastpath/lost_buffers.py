"""Buffers that are lost at the end of a function, whatever path control takes: made in its only block, and no more than
read and written there. Following each of them along all paths would say the same, in several times the work."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from memlane.findings import Certainty
from memlane.flow.alias.alias import Cluster
from memlane.flow.cfg.control_facts import ControlFact
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import comes_back
from memlane.flow.dataflow.events import EventKind
from memlane.flow.derived import query
from memlane.flow.fastpath.single_block import passes
from memlane.flow.scalars.trip_count import trip_of
from memlane.flow.symbolic.amounts import Amount
from memlane.flow.symbolic.sizes import Size
from memlane.flow.typestate.cluster_result import Incident
from memlane.syntax.tree.tree import Block, Op


class LostBuffer(NamedTuple):
    """A leak, and the `size` of the buffer, in numbers and names of the function."""

    leak: Incident
    size: Size | Amount | None


def lost(graph: Graph, cluster: Cluster, known: LostBuffer | None = None) -> LostBuffer | None:
    """The leak of the buffer of a cluster that is neither freed nor given away to the end of the block that makes it;
    None where that takes more than a look. `known`: that of the version before, which is given where it is the same."""
    origin = cluster.origins[0]
    made = origin.value.op
    if made is None or not origin.owned or not graph.is_outermost(made) or not query(graph, _returning).always:
        return None
    assert made.parent is not None
    last, size = made.parent.ops[-1], origin.told
    if known is not None and known.leak.origin is origin and known.leak.cause is last and known.size == size:
        return known
    return LostBuffer(Incident(EventKind.LEAK, Certainty.ALWAYS, made, None, origin, last, None, (), False), size)


class _Returning(ControlFact):
    """Whether control `always` comes from each operation of a function's only block to the next, and from the last to
    the caller."""

    __slots__ = ("always",)

    def __init__(self, always: bool) -> None:
        self.always = always

    def stands(self, blocks: Collection[Block], edges: Collection[Edge]) -> bool:
        """An edit of plain ops changes neither which regions there are nor how control leaves them."""
        return True


def _returning(graph: Graph) -> _Returning:
    return _Returning(_always_returns(graph))


def _always_returns(graph: Graph) -> bool:
    blocks = graph.function.regions[0].blocks if len(graph.function.regions) == 1 else []
    if len(blocks) != 1 or not blocks[0].ops or graph.stopping:
        return False
    if graph.stops(blocks[0]) or graph.goes_on(blocks[0]):
        return False
    return all(_ends(graph, op) for ops in graph.named.values() for op in ops if op.regions)


def _ends(graph: Graph, op: Op) -> bool:
    """Whether control always comes out of the regions of an operation, at its end."""
    if not passes(graph, op):
        return False
    return trip_of(graph, op) is not None or not any(comes_back(graph, region) for region in op.regions)
