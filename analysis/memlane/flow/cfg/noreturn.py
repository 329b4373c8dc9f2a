"""Blocks from which control only comes to where execution ends: to an `abort`, a failed assertion.

Nothing happens any more on paths that come there, unless a block there names a buffer itself: so all goes well with one
where it does on the others, and n assertions in a row split n paths that need not be distinguished. What they assert is
not known behind them then, which leaves more paths than there are.
"""

from __future__ import annotations

from collections.abc import Sequence

from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.incomplete_cfg import breaks_off
from memlane.syntax.tree.tree import Block


def noreturn(graph: Graph, blocks: Sequence[Block]) -> frozenset[Block]:
    """Those among the blocks of a region; none where that holds of the first."""
    before: dict[Block, list[Block]] = {}
    left: dict[Block, int] = {}
    pending: list[Block] = []
    for block in blocks:
        if breaks_off(graph, block):
            continue
        if graph.stops(block):
            pending.append(block)
        after = {edge.block: None for edge in graph.exits(block)}
        left[block] = len(after)
        for target in after:
            if target is not None:
                before.setdefault(target, []).append(block)
    found: set[Block] = set()
    while pending:
        block = pending.pop()
        found.add(block)
        for source in before.get(block, ()):
            left[source] -= 1
            if not left[source]:
                pending.append(source)
    return frozenset(found) if found.isdisjoint(blocks[:1]) else frozenset()
