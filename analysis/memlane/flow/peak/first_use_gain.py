"""How much of what a function allocates waits for its first use: so much is gained at most by moving allocations.

That is read off the text, where an allocation waits until the next op that uses its buffer.
"""

from __future__ import annotations

from memlane.flow.alias.alias import Cluster
from memlane.flow.interproc.program import FunctionFlow
from memlane.flow.peak.footprint import Ledger
from memlane.flow.peak.touching_ops import only_makes, works
from memlane.flow.symbolic.amounts import ZERO, Amount, total
from memlane.syntax.tree.tree import Op, used


def waiting(ledger: Ledger, flow: FunctionFlow) -> int | None:
    """The most bytes that wait at once; None where they are not known, or a callee may have such allocations."""
    graph, waits, most = flow.graph, dict[Cluster, Amount](), 0
    for op in flow.op.walk():
        if op is flow.op:
            continue
        if ledger.program.callees(op):
            return None
        named = _named(ledger, flow, op)
        if only_makes(graph, op):
            waits.update(named)
            now = total(waits.values()).bytes
            if now is None:
                return None
            most = max(most, now)
        elif waits and works(graph, op):
            for cluster in named:
                waits.pop(cluster, None)
    return most


def _named(ledger: Ledger, flow: FunctionFlow, op: Op) -> dict[Cluster, Amount]:
    """The clusters that an op names, and what their buffers take that count."""
    aliases = ledger.program.aliases(flow)
    values = [*used(op), *op.results]
    found = dict.fromkeys(one for value in values if (one := aliases.cluster_of(value)))
    return {
        one: total(ledger.size(flow, origin) or ZERO for origin in one.origins if ledger.counts(origin))
        for one in found
    }
