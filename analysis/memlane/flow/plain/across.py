"""Buffers that one block makes and another frees, with all that uses them between the two.

As in straight.py: following such a buffer would find nothing but that it is freed late. In functions of many blocks
they are the most, and following each through all blocks would cost the product of both.
"""

from __future__ import annotations

from itertools import accumulate

from memlane.dialects.model import Guard
from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.liveness import LateFree
from memlane.flow.alias.origin import Origin
from memlane.flow.control.graph import Edge, Graph
from memlane.flow.control.within import ancestor
from memlane.flow.paths.bounds import Bounds
from memlane.flow.plain.straight import Lends, Passed, entered, followed, frees_it, has_contents, nowhere, simple
from memlane.syntax.tree.tree import Block, Op, Region


def settled_across(
    graph: Graph, cluster: Cluster, known: dict[Region, Ways], lends: Lends = nowhere
) -> tuple[LateFree, ...] | None:
    """The late deallocations that the explorer, asked about the cluster, would find, where it would find no incidents.

    None where that takes more than a look. `known` keeps the ways of regions of the function.
    """
    origin = cluster.origins[0]
    made = origin.value.op
    if made is None or made.parent is None or len(made.parent.region.blocks) == 1 or not simple(graph, cluster):
        return None
    users = by_block(cluster, made.parent.region)
    freed = next((op for ops in (users or {}).values() for op in ops if graph.effects(op).frees), None)
    if users is None or freed is None or freed.parent is None or freed.parent is made.parent:
        return None
    last = users.get(freed.parent)
    if last is None or last[-1] is not freed or not frees_it(graph, freed, cluster, origin):
        return None
    region = made.parent.region
    ways = known.get(region)
    if ways is None:
        ways = known[region] = Ways(graph, region)
    between = _between(ways, made.parent, freed.parent)
    if between is None or not all(block.index in between for block in users):
        return None
    passed = _contents(graph, cluster, ways, users, between, freed, lends)
    return None if passed is None else _late(graph, origin, ways, freed, passed, last)


class Ways:
    """How control goes between the blocks of a region: `before` and `after` each, and whether it leaves the region at
    the end of a block. `reached`: the blocks it comes to, conditions that are no constants taken as free."""

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
        self.reached = {region.blocks[0]}
        pending = [region.blocks[0]]
        while pending:
            for edge in graph.exits(pending.pop()):
                if edge.block in self.before and edge.block not in self.reached and not _never(graph, edge):
                    self.reached.add(edge.block)
                    pending.append(edge.block)

    def plainly(self, first: Block, last: Block) -> bool:
        """Whether the blocks on the ways from one to another are those between them in the text; see `_between`."""
        one, two = first.index, last.index
        alone = self._bounds.alone(one, two) and self._bounds.once(one, two)
        return alone and self._open[one] == self._open[two]


def _bounds(region: Region, after: dict[Block, list[Block]]) -> Bounds:
    """From where to where control goes directly."""
    found = {region.blocks[0]}
    pending = [region.blocks[0]]
    while pending:
        new = [block for block in after[pending.pop()] if block not in found]
        found.update(new)
        pending += new
    pairs = [(block.index, to.index) for block in region.blocks for to in after[block]]
    return Bounds(pairs if len(found) == len(region.blocks) else [], len(region.blocks))


def _never(graph: Graph, edge: Edge) -> bool:
    """Whether a constant keeps control from taking an edge."""
    if edge.guard not in (Guard.TRUE, Guard.FALSE) or edge.number >= len(edge.place.operands):
        return False
    value = edge.place.operands[edge.number].value
    expr = graph.expression(value) if value is not None else None
    return expr is not None and expr[0] == "const" and bool(expr[1]) is not (edge.guard is Guard.TRUE)


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


def _contents(
    graph: Graph,
    cluster: Cluster,
    ways: Ways,
    users: dict[Block, list[Op]],
    between: range | dict[int, None],
    freed: Op,
    lends: Lends,
) -> Passed | None:
    """What is known at the deallocation; None where more is done than reading what was written, and writing.

    Contents are there as long as nothing is known to the contrary: then it is looked again at what follows.
    """
    start = cluster.origins[0].value.op
    assert start is not None
    first, last = start.parent, freed.parent
    assert first is not None and last is not None
    made = has_contents(graph, cluster.origins[0])
    begun = followed(graph, first, users.get(first, []), freed, cluster, made, lends)
    if begun is None:
        return None
    told = {first: begun}
    for block in users:
        passed = begun if block is first else followed(graph, block, users[block], freed, cluster, begun.written, lends)
        if passed is None:
            break
        told[block] = passed
    else:
        return told[last]  # what is written in between makes no difference
    if begun.written or users.keys() <= {first, last}:
        return None
    known: dict[Block, Passed] = {}
    pending = [first.region.blocks[number] for number in reversed(between)]
    while pending:
        block = pending.pop()
        before = made if block is first else all(known[b].written for b in ways.before[block] if b in known)
        passed = followed(graph, block, users.get(block, []), freed, cluster, before, lends)
        if passed is None:
            return None
        if passed.written != (block not in known or known[block].written):
            pending += [after for after in ways.after[block] if after in known]
        known[block] = passed
    return known[last]


def _late(
    graph: Graph, origin: Origin, ways: Ways, freed: Op, passed: Passed, users: list[Op]
) -> tuple[LateFree, ...] | None:
    """Whether work stands before the deallocation in its block, after the last use there."""
    block = freed.parent
    assert block is not None
    work = graph.work(block, passed.sure + 1, freed.index)
    if work.first is None:
        return ()
    last = max((top.index for op in users[:-1] if (top := ancestor(op, block)) is not None), default=-1)
    if last > passed.sure or not entered(graph, block.region.blocks[0]) or block not in ways.reached:
        return None
    after = block.ops[passed.sure] if passed.sure >= 0 else None
    return (LateFree(freed, origin, after, work.operations, work.first),)
