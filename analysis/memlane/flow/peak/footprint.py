"""What a call demands of memory: the callee followed with the arguments as the caller has them.

`Program.outcomes` says what a call does to the caller's buffers; here each way it may go also carries what lives
inside meanwhile. A function whose callers ask what it takes when entered so, and that is entered so, is followed once:
for their sake and for its own peak.
"""

from __future__ import annotations

from memlane.flow.dataflow.context import Context, known_of
from memlane.flow.dataflow.solver import BudgetExceeded
from memlane.flow.effects.aggregate_buffers import formals_of
from memlane.flow.interproc.function import FunctionFlow, Question
from memlane.flow.peak.build_product import build
from memlane.flow.peak.call_demands import CallDemands, SizedQuestion
from memlane.flow.peak.callee_outcomes import ways
from memlane.flow.peak.limits import MAX_PRODUCT_NODES
from memlane.flow.peak.peak_reading import Peak, read_peak
from memlane.flow.peak.product import Footprint
from memlane.flow.symbolic.amounts import total

__all__ = ["MAX_PRODUCT_NODES", "Ledger"]


class Ledger(CallDemands):
    """Footprints of the calls of one program; for the arguments see `CallDemands`."""

    _peaks: dict[SizedQuestion, Peak] | None = None
    """Those that were read where callers asked, for when they are asked for; None: no peak has been asked for yet."""

    def peak(self, flow: FunctionFlow, context: Context) -> Peak:
        """The peak of a function that is entered in one way."""
        asked = self._asked(flow, context)
        if self._peaks is None:
            self._peaks = {}
        if asked is not None:
            self._answers.of(asked)
            known = self._peaks.pop(asked, None)
            if known is not None:
                return known
        return read_peak(self, flow, build(self, flow, context, None))

    def _asked(self, flow: FunctionFlow, context: Context) -> SizedQuestion | None:
        """What callers ask that enter a function so; None where they ask otherwise."""
        if not flow.callers or context.pairs or self.program.group(flow).recursive or self.takes_some(flow):
            return None
        formals = formals_of(flow.graph)
        known = known_of(context.constants.get(("leaf", formal)) for formal in formals)
        constants = self.constants(flow, known, ())
        return SizedQuestion(Question(flow, (None,) * len(formals), constants, ()), ())

    def _explore(self, asked: SizedQuestion) -> tuple[Footprint, ...] | None:
        callee, partition, _, wanted = asked.question
        try:
            followed = build(self, callee, asked.question.context(), asked.sizes, wanted)
        except BudgetExceeded:  # where only exact peaks are asked for
            return None
        if self._peaks is not None and any(asked == self._asked(callee, one) for one in self.program.contexts(callee)):
            self._peaks[asked] = read_peak(self, callee, followed)
        return ways(followed, callee.graph, asked.question.groups, partition, wanted, total(asked.sizes), self.brief)
