"""What calls do, for one function, and what was asked about them: by that it is known what findings rest on."""

from __future__ import annotations

from memlane.flow.dataflow.call_outcomes import Outcome
from memlane.flow.dataflow.solver import BudgetExceeded
from memlane.flow.interproc.may_summary import ways as rough_ways
from memlane.flow.interproc.program import Program
from memlane.flow.symbolic.scalar import Expr
from memlane.flow.typestate.cluster_result import AskedQuestion
from memlane.syntax.tree.tree import Op


class Inquiry:
    """See the module.

    Attributes:
        asked: the questions, with the answers.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self.asked: dict[AskedQuestion, tuple[Outcome, ...] | None] = {}

    def outcomes(
        self, call: Op, partition: tuple[int | None, ...], scalars: tuple[Expr | None, ...], wanted: tuple[int, ...]
    ) -> tuple[Outcome, ...]:
        """See `Callees.outcomes`."""
        asked = AskedQuestion(call, partition, self._program.numbers(scalars), wanted)
        self.asked[asked] = found = self._program.followed(call, partition, scalars, wanted)
        if found is None:
            raise BudgetExceeded
        return found

    def may_free(self, call: Op) -> frozenset[int] | None:
        """See `Callees.may_free`. Nothing rests on it where much is recalled: see hidden_dependences.py."""
        return self._program.may_free(call)

    def replaced(self, call: Op) -> frozenset[tuple[int, int]]:
        """See `Callees.replaced`. Nothing is recalled where addresses are compared: see
        hidden_dependences.py."""
        return self._program.replaced(call)

    def roughly(self, call: Op, partition: tuple[int | None, ...], wanted: tuple[int, ...]) -> tuple[Outcome, ...]:
        """See `RoughCallees`."""
        found = self.asked[AskedQuestion(call, partition, (), wanted, rough=True)] = rough_ways(
            self._program, call, partition, wanted
        )
        return found
