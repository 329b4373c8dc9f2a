"""Calls that may throw: where an exception arrives nothing can stand first, and what was called gave nothing there."""

from __future__ import annotations

from collections.abc import Iterable

from memlane.flow.alias.origin import Origin
from memlane.flow.control.graph import Graph
from memlane.syntax.tree.tree import Block


def landings(graph: Graph, blocks: Iterable[Block]) -> frozenset[Block]:
    """The blocks where exceptions arrive, in the regions of `blocks`: the first operation there has to stay it."""
    found: set[Block] = set()
    for region in {block.region: None for block in blocks}:
        for block in region.blocks:
            last = block.ops[-1] if block.ops else None
            if last is not None and len(last.successors) > 1 and graph.call(last) is not None:
                found.update(one.block for one in last.successors[1:] if one.block is not None)
    return frozenset(found)


def may_not_be(origin: Origin) -> bool:
    """Whether the buffer is there only where the operation that gives it has led to the first of its successors."""
    return origin.owned and origin.value.op is not None and len(origin.value.op.successors) > 1
