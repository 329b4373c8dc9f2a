"""Buffers that are known to have no elements: there is nothing in them that could be read before it is written.

A loop that fills a buffer of `n` elements has no round where `n` is zero, and what reads the buffer then reads nothing.
That is no violation; but a read that is one on all other paths is certain all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from memlane.flow.alias.origin import Origin
from memlane.flow.cfg.graph import Graph
from memlane.flow.dataflow.state import Heap
from memlane.flow.scalars.expressions import scalar_of
from memlane.flow.symbolic.scalar import TRUE, Expr, Facts, simplify


class EmptyBuffers:
    """See the module.

    Args:
        graph: the function.
        origins: where the buffers come from that are followed.
        keep: whether facts about an expression are remembered.
    """

    def __init__(self, graph: Graph, origins: Iterable[Origin], keep: Callable[[Expr], bool]) -> None:
        self._numbers: dict[Origin, list[Expr]] = {}
        for origin in origins:
            numbers = (scalar_of(graph, value) for value in origin.dimensions)
            if known := [number for number in numbers if number[0] == "const" or keep(number)]:
                self._numbers[origin] = known

    def is_empty(self, origin: Origin, facts: Facts) -> bool:
        """Whether a buffer has no elements where some facts hold: one below zero is no dimension."""
        below = (("cmpi", "slt", number, ("const", 1)) for number in self._numbers.get(origin, ()))
        return any(simplify(one, facts) == TRUE for one in below)

    def found(self, heap: Heap, facts: Facts) -> Heap:
        """The buffers, with what is found out of those that have a name where some facts hold."""
        if not self._numbers:
            return heap
        named = (held for held in heap if held.holders and not (held.written or held.empty))
        empty = [held for held in named if self.is_empty(held.origin, facts)]
        return heap.difference(empty).union(held._replace(empty=True) for held in empty) if empty else heap
