"""What a call does to the caller's buffers, as the explorer asks it: values only, so that summaries can be kept."""

from __future__ import annotations

from itertools import compress, count, repeat
from operator import is_not
from typing import NamedTuple, Protocol

from memlane.findings import Span
from memlane.flow.symbolic.scalar import Expr
from memlane.syntax.tree.tree import Op


class OpPlace(NamedTuple):
    """An operation of a function, for others to speak of.

    Args:
        function: the symbol of the function.
        start: where its name begins, from the start of the function.
        name_span: of its name, in the text.
    """

    function: str
    start: int
    name_span: Span


def place_of(op: Op) -> OpPlace:
    """An operation as others speak of it."""
    around = op
    while around.parent is not None:
        around = around.parent.region.op
        if around.symbol is not None:
            break
    return OpPlace(around.symbol or "", op.name_span.start - around.span.start, op.name_span)


class Effect(NamedTuple):
    """What happens to one buffer that is passed.

    Args:
        first: the op of the callee that first touches its memory, None when nothing does.
        freed: the op of the callee that frees it.
        escaped: the callee keeps it somewhere.
        unsure: an op without a model took it.
        resource: of the deallocation; None: not known.
        again, used: the op of the callee that frees it again, and one that uses it after it was freed, because the
            call passes it twice; None where the violation is reported in the callee itself.
        by_each: each thread that calls it frees it, where that is known.
    """

    first: OpPlace | None = None
    freed: OpPlace | None = None
    escaped: bool = False
    unsure: bool = False
    resource: str | None = None
    again: OpPlace | None = None
    used: OpPlace | None = None
    by_each: bool = False

    @property
    def places(self) -> tuple[OpPlace | None, ...]:
        """The places that it speaks of."""
        return self.first, self.freed, self.again, self.used

    def at(self, first: OpPlace | None, freed: OpPlace | None, again: OpPlace | None, used: OpPlace | None) -> Effect:
        """The same with other places."""
        return self._replace(first=first, freed=freed, again=again, used=used)


class ResultSource(NamedTuple):
    """What a result is: buffer `number` of those passed, or of the new ones (equal numbers: one buffer), of a resource
    where that is known; `kept`: the callee keeps it somewhere, too."""

    fresh: bool
    number: int
    resource: str | None = None
    kept: bool = False


GLOBAL = ResultSource(False, -1, "global")
"""A result that is memory of a global: not one of the arguments, and without an owner."""


class Outcome(NamedTuple):
    """One way a call may go.

    Args:
        conditions: flags that are true or false then, in terms of `("formal", position)`.
        groups: per buffer passed.
        results: what each asked-for result is; None: no buffer that is followed.
        scalars: expressions of asked-for results, in terms of formals.
        stays: control does not come back.
    """

    conditions: tuple[tuple[Expr, bool], ...]
    groups: tuple[Effect, ...]
    results: tuple[tuple[int, ResultSource | None], ...]
    scalars: tuple[tuple[int, Expr], ...]
    stays: bool = False


def kind(way: Outcome) -> object:
    """What a way does, whichever ops do it."""
    effects = tuple(
        (e.first is None, e.freed is None, e.escaped, e.unsure, e.resource, e.again is None, e.used is None, e.by_each)
        for e in way.groups
    )
    return way.conditions, effects, way.results, way.scalars, way.stays


def count_groups(partition: tuple[int | None, ...]) -> int:
    """How many buffers are passed, where `partition` says of each argument which; see `Callees.outcomes`."""
    return max([partition[at] or 0 for at in passed_at(partition)], default=-1) + 1


def passed_at(partition: tuple[int | None, ...]) -> list[int]:
    """The positions of the arguments that are buffers. Of many most are none: they are passed over in C."""
    return [*compress(count(), map(is_not, partition, repeat(None)))]


class Callees(Protocol):
    """The effects of calls."""

    def outcomes(
        self, call: Op, partition: tuple[int | None, ...], scalars: tuple[Expr | None, ...], wanted: tuple[int, ...]
    ) -> tuple[Outcome, ...]:
        """The ways `call` may go.

        Args:
            partition: per argument the number of its buffer, None where no buffer of it is followed.
            scalars: per argument its expression in the caller; behind these the function that is called, where a caller
                of the caller has passed it.
            wanted: positions of the results that matter.

        Raises:
            BudgetExceeded: they are too many.
        """
        ...

    def may_free(self, call: Op) -> frozenset[int] | None:
        """The positions of the arguments that the callee may free, at most; None: unknown."""
        ...

    def replaced(self, call: Op) -> frozenset[tuple[int, int]]:
        """The positions of the results that are null where the callee has not freed an argument that it frees else;
        each with that of the argument."""
        ...
