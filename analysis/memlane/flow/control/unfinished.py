"""Where the text of a function breaks off: a branch whose target is not written yet, as while somebody types.

What lies there nobody knows: a path that comes there may end well, whatever it has passed.
"""

from __future__ import annotations

from memlane.flow.control.graph import Graph
from memlane.syntax.tree.tree import Block


def breaks_off(graph: Graph, block: Block) -> bool:
    """Whether control may go from the end of `block` to a block that is not there."""
    last = block.ops[-1] if block.ops else None
    if last is None or not last.successors:
        return False
    model = graph.model(last)
    wanted = len(model.successors) if model is not None else 0
    return len(last.successors) < wanted or any(successor.block is None for successor in last.successors)
