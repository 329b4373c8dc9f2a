"""Which ops may touch the memory that they name: all but those that give it another name, or compute with its address.

Lowered code packs the pointer of a buffer into a descriptor and takes it out again wherever it is used, last to free
it. The buffer is not used by that: with its last use it could be freed.
"""

from __future__ import annotations

from memlane.flow.control.effects import Effects
from memlane.flow.control.graph import Graph
from memlane.syntax.tree.tree import Op


def touches(graph: Graph, op: Op) -> bool:
    """Whether an op may read, write or hand on the memory of what it names, now or by work that it begins."""
    if op.regions or op.successors or graph.call(op) is not None:
        return True
    model = graph.model(op)
    if model is None or model.exits or model.terminator or model.acquire:
        return True
    return graph.effects(op)._replace(views=()) != _NOTHING


_NOTHING = Effects()
