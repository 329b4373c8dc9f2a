"""Buffers that are used in several blocks of a region, and given back in any case: one of them frees the buffer, with
all that uses it before, or it is memory of the stack, which ends with its scope.

As in single_block.py: following such a buffer would find nothing wrong. In functions of many blocks
they are the most, and following each through all blocks would cost the product of both.
"""

from __future__ import annotations

from itertools import accumulate

from memlane.flow.alias.alias import Cluster
from memlane.flow.cfg.block_ranges import Bounds
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.scc import reachable
from memlane.flow.fastpath.single_block import Lends, by_block, followed, frees_it, has_contents, simple
from memlane.flow.memory.effects_at import effects_at
from memlane.syntax.tree.tree import Block, Op, Region, starts_at


def settled_across(graph: Graph, cluster: Cluster, known: dict[Region, Ways], lends: Lends) -> bool:
    """As `Settled.right`. `known` keeps the ways of regions of the function."""
    made = cluster.origins[0].value.op
    if made is None or made.parent is None or len(made.parent.region.blocks) == 1 or not simple(graph, cluster):
        return False
    region = made.parent.region
    users = by_block(sorted({use.op for value in cluster.root for use in value.uses}, key=starts_at), region)
    if users is None:
        return False
    if region not in known:
        known[region] = Ways(graph, region)
    freed = None
    if cluster.origins[0].resource != "stack":
        freed = _freed(graph, cluster, known[region], made.parent, users)
        if freed is None:
            return False
    return _has_contents(graph, cluster, known[region], users, freed, lends)


class Ways:
    """How control goes between the blocks of a region: `before` and `after` each, and whether it leaves the region at
    the end of a block."""

    def __init__(self, graph: Graph, region: Region) -> None:
        self.before: dict[Block, list[Block]] = {block: [] for block in region.blocks}
        self.after: dict[Block, list[Block]] = {}
        self.leaving: set[Block] = set()
        for block in region.blocks:
            targets = [edge.block for edge in graph.exits(block)]
            self.after[block] = [one for one in dict.fromkeys(targets) if one is not None and one.region is region]
            if not targets or len(self.after[block]) < len(dict.fromkeys(targets)):
                self.leaving.add(block)
            for target in self.after[block]:
                self.before[target].append(block)
        self._bounds = _bounds(region, self.after)
        self._open = [0, *accumulate(block in self.leaving for block in region.blocks)]

    def plainly(self, first: Block, last: Block) -> bool:
        """Whether the blocks on the ways from one to another are those between them in the text; see `_between`."""
        one, two = first.index, last.index
        alone = self._bounds.alone(one, two) and self._bounds.once(one, two)
        return alone and self._open[one] == self._open[two]


def _bounds(region: Region, after: dict[Block, list[Block]]) -> Bounds:
    """From where to where control goes directly."""
    found = {*reachable([region.blocks[0]], after.__getitem__)}
    pairs = [(block.index, to.index) for block in region.blocks for to in after[block]]
    return Bounds(pairs if len(found) == len(region.blocks) else [], len(region.blocks))


def _freed(graph: Graph, cluster: Cluster, ways: Ways, made: Block, users: dict[Block, list[Op]]) -> Op | None:
    """What frees the buffer, in another block than that in which it is `made`, and in any case: control comes there
    through the blocks of its other users, and once."""
    freed = next((op for ops in users.values() for op in ops if effects_at(graph, op).frees), None)
    if freed is None or freed.parent is None or freed.parent is made:
        return None
    last = users.get(freed.parent)
    if last is None or last[-1] is not freed or not frees_it(graph, freed, cluster, cluster.origins[0]):
        return None
    between = _between(ways, made, freed.parent)
    return freed if between is not None and all(block.index in between for block in users) else None


def _between(ways: Ways, first: Block, last: Block) -> range | set[int] | None:
    """The numbers of the blocks on the ways from `first` to `last`, both included.

    None where some way does not get to `last`, or gets between them without coming through `first`.
    """
    if ways.plainly(first, last):
        return range(first.index, last.index + 1)
    found = {first}
    pending = [first]
    met = False
    while pending:
        block = pending.pop()
        if block in ways.leaving or first in ways.after[block]:
            return None
        for after in ways.after[block]:
            if after.index > last.index:
                return None  # as texts are written it does not lead back; all the ways behind would be looked at
            met = met or after is last
            if after is not last and after not in found:
                found.add(after)
                pending.append(after)
    for block in (*found, last):
        if block is not first and not all(before in found for before in ways.before[block]):
            return None
    return {block.index for block in (*found, last)} if met else None


def _has_contents(
    graph: Graph, cluster: Cluster, ways: Ways, users: dict[Block, list[Op]], freed: Op | None, lends: Lends
) -> bool:
    """Whether nothing more is done than writing, and reading where something has been written on all ways."""
    origin = cluster.origins[0]
    made, full = origin.value.op, has_contents(graph, origin)
    assert made is not None
    assert made.parent is not None
    asking: set[Block] = set()
    filled: set[Block] = set()
    for block, ops in users.items():
        after = followed(graph, block, ops, freed, cluster, full, lends)
        if after is None:
            asking.add(block)
            if full or followed(graph, block, ops, freed, cluster, True, lends) is None:
                return False
        elif after:
            filled.add(block)
    return made.parent in filled or made.parent not in reachable(
        asking, lambda block: (one for one in ways.before[block] if one not in filled)
    )
