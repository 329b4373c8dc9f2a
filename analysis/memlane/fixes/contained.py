"""Where buffers are freed that stay in containers of the function, at places that are not known
(fastpath/container_leaks.py).

Which of them a load gives is unknown, but not that all of them are lost. Each is freed by its first name, behind the
last op that may use one of them, by whatever name. That is right where the buffers are made in one block, and, if
anything is taken out, the containers with them: then no round of a loop finds there what the one before has freed.
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Edit
from memlane.fixes.edit_writer import Writer
from memlane.fixes.free_statements import FreeStatements
from memlane.flow import FunctionFlow, Program
from memlane.flow.alias.alias import Cluster
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_edges import ancestor
from memlane.flow.fastpath.container_leaks import containers_of, to_be_freed
from memlane.flow.memory.effects_at import effects_at
from memlane.syntax.tree.tree import Block, Op
from memlane.text import Text


def contained_frees(program: Program, flow: FunctionFlow, cluster: Cluster, text: Text) -> tuple[Edit, ...]:
    """The edits that free all buffers of a cluster; none where there is no place to do so."""
    containers = containers_of(program, flow, cluster)
    taken_out = any(name in effects_at(flow.graph, name.op).loaded for name in cluster.root if name.op is not None)
    own = to_be_freed(cluster)
    made = [origin.value.op for origin in own]
    blocks = {op.parent if op is not None else None for op in (*made, *(containers if taken_out else ()))}
    block = blocks.pop() if len(blocks) == 1 and containers else None
    if block is None:
        return ()
    writer = Writer(text)
    statements = FreeStatements(flow.graph, writer)
    lines = [statements.declared(statements.of(one.value, {one})) for one in own]
    known = [line for some in lines if some is not None for line in some]
    placed = None not in lines and _put(flow.graph, cluster, block, known, writer)
    return writer.edits() if placed else ()


def _put(graph: Graph, cluster: Cluster, block: Block, lines: list[str], writer: Writer) -> bool:
    """Put lines behind all that names a buffer of the cluster; whether there is a place."""
    uses = [ancestor(use.op, block) for name in cluster.root for use in name.uses]
    inside = [op for op in uses if op is not None]
    if len(inside) == len(uses):
        writer.after(max(inside, key=lambda op: op.index), lines)
        return True
    ends = list(_returns(graph, block))
    for op in ends:
        writer.before(op, lines)
    return bool(ends)


def _returns(graph: Graph, block: Block) -> Iterator[Op]:
    """The ops that end the function, if all of them come behind a block."""
    if block is graph.entry:
        yield from (one.ops[-1] for one in block.region.blocks if one.ops and not one.ops[-1].successors)
