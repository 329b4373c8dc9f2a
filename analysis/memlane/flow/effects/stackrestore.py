"""Where stack memory is given back without a scope that ends: what lowering makes of one (`llvm.intr.stackrestore`)."""

from __future__ import annotations

from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.ops_by_name import described
from memlane.syntax.tree.tree import Block


def restoring(graph: Graph) -> set[Block]:
    """The blocks of a function in which the stack is restored, with those around them.

    A loop that has one of them does not make it grow from round to round.
    """
    found: set[Block] = set()
    for op in described(graph, lambda model: model.restores_stack):
        block = op.parent
        while block is not None and block not in found:
            found.add(block)
            block = block.region.op.parent
    return found
