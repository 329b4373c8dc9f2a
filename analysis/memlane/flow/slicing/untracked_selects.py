"""Names that stand for one of several buffers which all have names of their own, where it is not followed which.

Of n choices in a row, each between what was chosen before and another buffer, each path names all n buffers, and which
of them was chosen last tells paths apart. Where buffers are only looked at by the names of choices, it does without:
a buffer has a use wherever one of them is used that may stand for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import edges_within
from memlane.flow.memory.effects_at import effects_at
from memlane.flow.slicing.liveness_for_fixes import Doubled
from memlane.flow.slicing.slice import Slice
from memlane.flow.slicing.unknown_results import Through
from memlane.syntax.tree.tree import Op, Use, Value


class Choosing(Through):
    """Those of a slice.

    Attributes:
        names: the roots that stand for several buffers.
    """

    def __init__(self, graph: Graph, part: Slice) -> None:
        self._doubled = Doubled(graph, part)
        super().__init__(graph, part)

    def buffers(self, roots: Iterable[Value]) -> frozenset[Value]:
        """`roots` with all that these may stand for."""
        return frozenset(base for root in roots for base in self._bases.get(root, (root,)))

    def _unsure(self, root: Value) -> frozenset[Value]:
        sources = self._doubled.sources(root) if self._doubled.is_doubled(root) else ()
        return frozenset(self._root[source] for source in sources if source is not None)

    def _is_looked_at(self, use: Use, value: Value, others: Collection[Value]) -> bool:
        return not self._in_background(use.op) and super()._is_looked_at(use, value, others)

    def _in_background(self, op: Op | None) -> bool:
        """Whether the work of an op may continue after it; or its effects are unknown."""
        while op is not None and op is not self._graph.function:
            effects = effects_at(self._graph, op)
            if effects.completion or effects.detached or effects.unknown:
                return True
            op = op.parent.region.op if op.parent is not None else None
        return False

    def _hands_on(self, op: Op, value: Value, others: Collection[Value]) -> bool:
        block = op.parent
        ends = self._graph.exits(block) if block is not None and op is block.ops[-1] else ()
        edges = (*edges_within(self._graph, op), *ends)
        return any(given is value and receiver not in others for edge in edges for given, receiver in edge.bindings)
