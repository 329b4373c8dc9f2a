"""What a call demands of memory: the callee followed with the arguments as the caller has them.

`Program.outcomes` says what a call does to the caller's buffers; here each way it may go also carries what lives
inside meanwhile.
"""

from __future__ import annotations

from memlane.flow.peak.build_product import build
from memlane.flow.peak.call_demands import MAX_PRODUCT_NODES, CallDemands, SizedQuestion
from memlane.flow.peak.callee_outcomes import ways
from memlane.flow.peak.product import Footprint
from memlane.flow.symbolic.amounts import total

__all__ = ["MAX_PRODUCT_NODES", "Ledger"]


class Ledger(CallDemands):
    """Footprints of the calls of one program; for the arguments see `CallDemands`."""

    def _explore(self, asked: SizedQuestion) -> tuple[Footprint, ...] | None:
        callee, partition, _, wanted = asked.question
        followed = build(self, callee, asked.question.context(), asked.sizes, wanted)
        return ways(followed, callee.graph, asked.question.groups, partition, wanted, total(asked.sizes))
