"""Which blocks of a region control has to pass on the way to others, and which behind them: both dominator trees.

They rest on which blocks lead to which alone, so they stay while nothing but conditions and values is edited.
"""

from __future__ import annotations

from collections.abc import Collection

from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.incomplete_cfg import breaks_off
from memlane.flow.cfg.noreturn import noreturn
from memlane.flow.derived import query
from memlane.syntax.names.dominance import dominator_tree, relation
from memlane.syntax.tree.tree import Block, Op, Region


class DominatorTree:
    """A dominator tree of blocks by number; 0 is the root."""

    def __init__(self, count: int, edges: list[tuple[int, int]]) -> None:
        self.parents = dominator_tree(count, edges)
        self.dominates = relation(self.parents)
        self._depth = {0: 0}
        for block in self.parents:
            path: list[int] = []
            while block not in self._depth:
                path.append(block)
                block = self.parents[block]
            for one in reversed(path):
                self._depth[one] = self._depth[self.parents[one]] + 1

    def meet(self, blocks: list[int]) -> int | None:
        """The nearest that dominates all; None: one is never reached."""
        if any(block not in self._depth for block in blocks):
            return None
        found = min(blocks, key=self._depth.__getitem__)
        while not all(self.dominates(found, other) for other in blocks):
            found = self.parents[found]
        return found


class Trees:
    """Those of a region.

    Attributes:
        before, after: the blocks that lead to each, and to which it leads, once for each edge.
        edges: the same by number.
        forth: from the first block on.
        back: from a virtual exit block, 0, that all exits lead to; the numbers of others are one more.
        failing: the blocks from which control only comes to where execution ends (noreturn.py).
        onwards: the same as `back`, as far as control does not come to one of these.
    """

    def __init__(self, graph: Graph, region: Region) -> None:
        self.before: dict[Block, list[Block]] = {block: [] for block in region.blocks}
        self.after: dict[Block, list[Block]] = {}
        self.edges: list[tuple[int, int]] = []
        back: list[tuple[int, int]] = []
        for block in region.blocks:
            edges = graph.exits(block)
            after = self.after[block] = [edge.block for edge in edges if edge.block in self.before]
            for target in after:
                self.before[target].append(block)
                self.edges.append((block.index, target.index))
                back.append((target.index + 1, block.index + 1))
            if not after or len(after) < len(edges) or breaks_off(graph, block):
                back.append((0, block.index + 1))
        count = len(region.blocks)
        self.forth, self.back = DominatorTree(count, self.edges), DominatorTree(count + 1, back)
        self.failing = noreturn(graph, region.blocks)
        fail = {block.index + 1 for block in self.failing}
        kept = [(after, before) for after, before in back if after not in fail or before in fail]
        self.onwards = DominatorTree(count + 1, kept) if fail else self.back


def trees_of(graph: Graph, region: Region) -> Trees:
    """The trees of a region's blocks, found once."""
    known = query(graph, known_trees)
    if region not in known:
        known[region] = Trees(graph, region)
    return known[region]


def known_trees(_: Graph) -> dict[Region, Trees]:
    """Those of a function that have been found so far."""
    return {}


def stay(known: dict[Region, Trees], gone: Collection[Op]) -> None:
    """Forget those of ops that are gone."""
    for region in [region for region in known if region.op in gone]:
        del known[region]
