"""Which ops may touch the memory that they name: all but those that give it another name, or compute with its address.

Lowered code packs the pointer of a buffer into a descriptor and takes it out again wherever it is used, last to free
it. The buffer is not used by that: with its last use it could be freed. Nor is it used by a branch that hands it on to
a block, or by the end of a region that gives it out.
"""

from __future__ import annotations

from memlane.flow.cfg.graph import Graph
from memlane.flow.effects.effects import Effects
from memlane.flow.memory.effects_at import effects_at
from memlane.syntax.tree.tree import Op


def touches(graph: Graph, op: Op) -> bool:
    """Whether an op may read, write or return the memory of what it names, now or by work that it begins."""
    return _may_do_more(graph, op) or effects_at(graph, op)._replace(views=()) != _NOTHING


def works(graph: Graph, op: Op) -> bool:
    """Whether an op does so for more than to give the memory back: that of a reallocation is copied."""
    effects = effects_at(graph, op)
    return touches(graph, op) and not only_makes(graph, op) and (not effects.frees or bool(effects.allocs))


def only_makes(graph: Graph, op: Op) -> bool:
    """Whether an op makes buffers and touches none, not even these: it may as well stand where they are used first."""
    effects = effects_at(graph, op)
    if not effects.allocs or _may_do_more(graph, op):
        return False
    return effects._replace(allocs=(), views=()) == _NOTHING


def never(graph: Graph, op: Op) -> bool:
    """The same where allocations stay where they are: none does."""
    return False


def _may_do_more(graph: Graph, op: Op) -> bool:
    """Whether an op may do more than its effects say."""
    if op.regions or graph.call(op) is not None:
        return True
    model = graph.model(op)
    return model is None or model.exits or bool(model.acquire)


_NOTHING = Effects()
