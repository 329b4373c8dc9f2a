"""Memory of the stack that is used and lent, in whichever blocks: it ends with its scope, and needs no deallocation.

Nothing can go wrong with it but that it is read before anything is written. What decides the way between those blocks
need not be known where contents are there on all ways: a nest of loops has many, and each memory would be followed
through all of it.
"""

from __future__ import annotations

from collections.abc import Set

from memlane.flow.alias.alias import Cluster
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.scc import reachable
from memlane.flow.fastpath.cross_block import Ways, by_block
from memlane.flow.fastpath.single_block import Lends, followed, has_contents, nowhere, simple
from memlane.syntax.tree.tree import Block, Region


def settled_automatic(graph: Graph, cluster: Cluster, known: dict[Region, Ways], lends: Lends = nowhere) -> bool:
    """As `Settled.right`, of memory of the stack.

    `known` keeps the ways of regions of the function.
    """
    origin = cluster.origins[0]
    made = origin.value.op
    if made is None or made.parent is None or origin.resource != "stack" or not simple(graph, cluster):
        return False
    users = by_block(cluster, made.parent.region)
    if users is None:
        return False
    asking: set[Block] = set()
    filled: set[Block] = set()
    for block, ops in users.items():
        passed = followed(graph, block, ops, None, cluster, False, lends)
        if passed is None:
            asking.add(block)
            if followed(graph, block, ops, None, cluster, True, lends) is None:
                return False
        elif passed:
            filled.add(block)
    if not asking or has_contents(graph, origin):
        return True
    region = made.parent.region
    ways = known.get(region)
    if ways is None:
        ways = known[region] = Ways(graph, region)
    return _have_contents(ways, asking, filled, made.parent)


def _have_contents(ways: Ways, asking: Set[Block], filled: Set[Block], made: Block) -> bool:
    """Whether something is written on all ways from where the memory is `made` to the start of blocks that ask."""
    return made not in reachable(asking, lambda block: (one for one in ways.before[block] if one not in filled))
