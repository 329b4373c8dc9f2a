"""How many ops of each block may take memory: found for a whole function once, as each of its buffers asks for it."""

from __future__ import annotations

from memlane.flow.cfg.graph import Graph
from memlane.flow.derived import query
from memlane.syntax.tree.tree import Block, Op


def takes_memory(graph: Graph, op: Op) -> bool:
    """Whether `op` itself may take memory: an allocation, a call, an operation without a model."""
    model = graph.model(op)
    if model is None:
        return True
    return model.call is not None or any(a.resource not in ("stack", "global") for a in model.alloc)


def taken_between(graph: Graph, block: Block, start: int, stop: int) -> bool:
    """Whether one of the ops of a block of the function from number `start` on, and before `stop`, may take memory, or
    what is nested in it."""
    counts = query(graph, _counted)[block]
    return counts[stop] > counts[start]


def taken_inside(graph: Graph, op: Op) -> bool:
    """Whether something in the regions of `op` may take memory."""
    return any(taken_between(graph, block, 0, len(block.ops)) for region in op.regions for block in region.blocks)


def _counted(graph: Graph) -> dict[Block, list[int]]:
    """Per block how many of its first ops take memory, for each number of them."""
    taking: set[Op] = set()
    blocks: list[Block] = []
    for op in reversed(list(graph.function.walk())):  # what is nested comes before what is around it
        blocks += [block for region in op.regions for block in region.blocks]
        if op is not graph.function and (op in taking or takes_memory(graph, op)):
            taking.add(op)
            if op.parent is not None:
                taking.add(op.parent.region.op)
    found: dict[Block, list[int]] = {}
    for block in blocks:
        counts = found[block] = [0]
        for op in block.ops:
            counts.append(counts[-1] + (op in taking))
    return found
