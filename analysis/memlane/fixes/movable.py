"""The deallocations that fixes may take out and put elsewhere."""

from __future__ import annotations

from memlane.flow.alias.alias import Cluster
from memlane.flow.alias.origin import OriginKind
from memlane.flow.fastpath.borrowed import Lending
from memlane.flow.interproc.program import FunctionFlow, Program
from memlane.flow.memory.effects_at import effects_at
from memlane.syntax.tree.tree import Op


def movable(program: Program, flow: FunctionFlow, cluster: Cluster) -> frozenset[Op]:
    """The deallocations of a cluster that do nothing else and may be taken out.

    None of what is in a container of the caller, who may leave it to the function to free that. And none where a buffer
    is kept in memory: who finds it there may use it until the program frees it, and whether that was given away or is
    still to be freed here only the deallocation tells.
    """
    found: set[Op] = set()
    if kept_in_memory(program, flow, cluster):
        return frozenset()
    arguments = [origin for origin in cluster.origins if origin.kind is OriginKind.ARGUMENT]
    given = {origin.value for origin in arguments}
    contents = {origin.value for origin in arguments if not origin.lent}
    for value, root in cluster.root.items():
        if root in contents or (root in given and not flow.entry):
            continue
        for use in value.uses:
            op = use.op
            frees = effects_at(flow.graph, op).frees
            plain = len(frees) == 1 and frees[0].condition is None and not frees[0].retained
            plain = plain and frees[0].value in cluster.root
            if plain and not (op.results or op.regions or op.successors) and program.callee(op) is None:
                found.add(op)
    return frozenset(found)


def kept_in_memory(program: Program, flow: FunctionFlow, cluster: Cluster) -> bool:
    """Whether some operation may put one of the buffers where others find it."""
    graph, lending = flow.graph, Lending(program, flow)
    for op in {use.op: None for value in cluster.root for use in value.uses}:
        if any(value in cluster.root for value in effects_at(graph, op).escapes):
            return True
        if graph.call(op) is not None and lending.keeps(op, cluster):
            return True
    return False
