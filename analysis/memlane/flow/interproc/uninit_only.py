"""Memory that need not be freed: the only possible violation is a read before the first write.

Many conditions may decide whether something was written; whether such a read is certain is worth some steps, and is
then decided from all paths together, without conditions.
"""

from __future__ import annotations

from collections.abc import Collection

from memlane.flow.alias.alias import Cluster
from memlane.flow.dataflow.budget import Purse
from memlane.flow.dataflow.events import EventKind
from memlane.flow.interproc.exploration_result import Explorations, explored
from memlane.flow.interproc.program import FunctionFlow, Program
from memlane.flow.interproc.tracked_callees import Inquiry
from memlane.flow.slicing.slice import Slice

MAX_UNINIT_STEPS = 3_000
"""Steps that the question is worth, and one for each point."""


def unwritten(
    program: Program,
    flow: FunctionFlow,
    part: Slice,
    clusters: Collection[Cluster],
    callees: Inquiry,
    parts: list[Slice],
    purse: Purse,
) -> Explorations | None:
    """The result for one such buffer; None: not such a buffer, or other violations are possible.

    Args:
        part: the slice of its cluster.
        parts: takes what is looked at besides.
    """
    if part.freeing or len(part.origins) != 1 or any(origin.owned for origin in part.origins.values()):
        return None
    for one in (part, Slice(part.graph, clusters, plain=True)):
        own = Purse(min(purse.left, MAX_UNINIT_STEPS + one.points()))
        found = explored(program, flow, one, callees, own)
        purse.spend(own.spent)
        if one is not part:
            parts.append(one)
        if found is not None and (one is part or found.kinds <= {EventKind.UNINITIALIZED_READ}):
            return found
    return None
