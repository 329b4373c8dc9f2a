"""What calls do, for one function, and what was asked about them: by that it is known what findings rest on."""

from __future__ import annotations

from memlane.flow.calls.program import Program
from memlane.flow.calls.rough import ways as rough_ways
from memlane.flow.paths.followed import Asked
from memlane.flow.scalars.scalar import Expr
from memlane.flow.states.calls import Outcome
from memlane.flow.states.context import known_of
from memlane.flow.states.solver import BudgetExceeded
from memlane.syntax.tree.tree import Op


class Inquiry:
    """See the module.

    Attributes:
        asked: the questions, with the answers.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self.asked: dict[Asked, tuple[Outcome, ...] | None] = {}

    def outcomes(
        self, call: Op, partition: tuple[int | None, ...], scalars: tuple[Expr | None, ...], wanted: tuple[int, ...]
    ) -> tuple[Outcome, ...]:
        """See `Callees.outcomes`."""
        asked = Asked(call, partition, known_of(scalars), wanted)
        self.asked[asked] = found = self._program.followed(call, partition, scalars, wanted)
        if found is None:
            raise BudgetExceeded
        return found

    def roughly(self, call: Op, partition: tuple[int | None, ...], wanted: tuple[int, ...]) -> tuple[Outcome, ...]:
        """See `RoughCallees`."""
        found = self.asked[Asked(call, partition, (), wanted, rough=True)] = rough_ways(
            self._program, call, partition, wanted
        )
        return found
