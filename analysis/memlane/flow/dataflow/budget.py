"""The budget of one function: how many steps following its buffers may take, in all.

A step is a pair of point and state that an exploration expands. Groups of buffers that may be each other are followed
one by one. Half of the budget is theirs in equal shares, which no other group can use up; the other half is for those
that need more, in the order of their buffers in the text. So what a group may take depends on the function alone,
not on what is remembered of an earlier version.
"""

from __future__ import annotations

from memlane.flow.dataflow.solver import BudgetExceeded

STEPS_PER_FUNCTION = 1_000_000
"""Steps of one function, and beside that for each of its operations:"""
STEPS_PER_OP = 1_000


class Budget:
    """What is left for the groups of one function.

    Args:
        operations: how many it has.
        groups: how many have to be followed.
    """

    def __init__(self, operations: int, groups: int) -> None:
        half = (STEPS_PER_FUNCTION + STEPS_PER_OP * operations) // 2
        self._share = half // max(groups, 1)
        self._pool = half

    def purse(self) -> Purse:
        """What the next group may spend."""
        return Purse(self._share + self._pool)

    def settle(self, spent: int) -> None:
        """A group has spent so much."""
        self._pool -= max(0, spent - self._share)


class Purse:
    """What one group may spend.

    Attributes:
        left, spent: in steps.
        empty: it has not been enough.
    """

    __slots__ = ("empty", "left", "spent")

    def __init__(self, left: int) -> None:
        self.left = left
        self.spent = 0
        self.empty = False

    def spend(self, steps: int) -> None:
        """Take so many steps from it.

        Raises:
            BudgetExceeded: there are not so many left. Then there are none.
        """
        taken = min(steps, self.left)
        self.spent += taken
        self.left -= taken
        if taken < steps:
            self.empty = True
            raise BudgetExceeded
