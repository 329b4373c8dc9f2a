"""Buffers that one block makes and another frees, with all that uses them between the two.

As in single_block.py: following such a buffer would find nothing wrong. In functions of many blocks
they are the most, and following each through all blocks would cost the product of both.
"""

from __future__ import annotations

from itertools import accumulate

from memlane.flow.alias.alias import Cluster
from memlane.flow.cfg.block_ranges import Bounds
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.scc import reachable
from memlane.flow.fastpath.single_block import Lends, followed, frees_it, has_contents, nowhere, simple
from memlane.flow.memory.effects_at import effects_at
from memlane.syntax.tree.tree import Block, Op, Region


def settled_across(graph: Graph, cluster: Cluster, known: dict[Region, Ways], lends: Lends = nowhere) -> bool:
    """As `Settled.right`. `known` keeps the ways of regions of the function."""
    origin = cluster.origins[0]
    made = origin.value.op
    if made is None or made.parent is None or len(made.parent.region.blocks) == 1 or not simple(graph, cluster):
        return False
    users = by_block(cluster, made.parent.region)
    freed = next((op for ops in (users or {}).values() for op in ops if effects_at(graph, op).frees), None)
    if users is None or freed is None or freed.parent is None or freed.parent is made.parent:
        return False
    last = users.get(freed.parent)
    if last is None or last[-1] is not freed or not frees_it(graph, freed, cluster, origin):
        return False
    region = made.parent.region
    ways = known.get(region)
    if ways is None:
        ways = known[region] = Ways(graph, region)
    between = _between(ways, made.parent, freed.parent)
    if between is None or not all(block.index in between for block in users):
        return False
    return _has_contents(graph, cluster, ways, users, between, freed, lends)


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


def by_block(cluster: Cluster, region: Region) -> dict[Block, list[Op]] | None:
    """The ops that name the buffer, in text order, by the block of `region` they stand in; None: some elsewhere."""
    found: dict[Block, list[Op]] = {}
    for op in sorted({use.op for value in cluster.root for use in value.uses}, key=lambda op: op.span.start):
        block = op.parent
        while block is not None and block.region is not region:
            block = block.region.op.parent
        if block is None:
            return None
        found.setdefault(block, []).append(op)
    return found


def _between(ways: Ways, first: Block, last: Block) -> range | dict[int, None] | None:
    """The numbers of the blocks on the ways from `first` to `last`, both included, in the order in which they are come
    upon.

    None where some way does not get to `last`, or gets between them without coming through `first`.
    """
    if ways.plainly(first, last):
        return range(first.index, last.index + 1)
    found = {first: None}
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
                found[after] = None
                pending.append(after)
    for block in (*found, last):
        if block is not first and not all(before in found for before in ways.before[block]):
            return None
    return {block.index: None for block in (*found, last)} if met else None


def _has_contents(
    graph: Graph,
    cluster: Cluster,
    ways: Ways,
    users: dict[Block, list[Op]],
    between: range | dict[int, None],
    freed: Op,
    lends: Lends,
) -> bool:
    """Whether nothing more is done up to the deallocation than reading what was written, and writing.

    Contents are there as long as nothing is known to the contrary: then it is looked again at what follows.
    """
    start = cluster.origins[0].value.op
    assert start is not None
    first, last = start.parent, freed.parent
    assert first is not None
    made = has_contents(graph, cluster.origins[0])
    begun = followed(graph, first, users.get(first, []), freed, cluster, made, lends)
    if begun is None:
        return False
    for block in users:
        passed = begun if block is first else followed(graph, block, users[block], freed, cluster, begun, lends)
        if passed is None:
            break
    else:
        return True  # what is written in between makes no difference
    if begun or users.keys() <= {first, last}:
        return False
    known: dict[Block, bool] = {}
    pending = [first.region.blocks[number] for number in reversed(between)]
    while pending:
        block = pending.pop()
        before = made if block is first else all(known[b] for b in ways.before[block] if b in known)
        passed = followed(graph, block, users.get(block, []), freed, cluster, before, lends)
        if passed is None:
            return False
        if passed != (block not in known or known[block]):
            pending += [after for after in ways.after[block] if after in known]
        known[block] = passed
    return True
