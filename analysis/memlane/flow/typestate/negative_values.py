"""Numbers below zero that a callee did not think of.

An index is a size or a position: an argument of type index is assumed not to be negative, unless the function tests it
(branch_assumption.py), and its summary has this as a condition. The value that a caller computes may be negative all
the same, as `n - 3` is. The outcomes that the condition would then exclude are those of the smallest numbers; or, where
the function compares the index with some numbers, those where it equals no such number. Where it compares with 0 alone,
either may be meant: both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from memlane.flow.dataflow.call_outcomes import Outcome
from memlane.flow.symbolic.range import INFINITY, Range
from memlane.flow.symbolic.scalar import FALSE, Expr, Facts, operands
from memlane.flow.typestate.limits import MAX_CALL_WAYS

Condition = tuple[Expr, bool]

_KEEPING = frozenset(
    {"addi", "muli", "minsi", "divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui"}
    | {"shli", "shrsi", "shrui"}
)
"""What gives no negative number of numbers that are none."""


class _Asked(NamedTuple):
    """What a way asks of a number: that it is between two, and whatever else. `rest`: of others."""

    low: float
    high: float
    rest: frozenset[Condition]

    @property
    def from_zero(self) -> bool:
        """Whether it is gone for zero, and for others."""
        return self.low == 0 < self.high

    @property
    def any_number(self) -> bool:
        """Whether it may be gone for what is below zero: not for one number above it."""
        return self.high == 0 or self.low < self.high


def may_be_negative(expr: Expr, facts: Facts) -> bool:
    """Whether an index may be below zero, as far as its shape says: what a function is passed is not."""
    known = facts.get(expr)
    if isinstance(known, Range):
        return known.low < 0
    if expr[0] == "const":
        return expr[1] < 0
    if expr[0] == "leaf":
        return expr[1].type != "index"
    if expr[0] == "maxsi":
        return all(may_be_negative(part, facts) for part in operands(expr))
    return expr[0] not in _KEEPING or any(may_be_negative(part, facts) for part in operands(expr))


def below_zero(outcomes: tuple[Outcome, ...], numbers: Iterable[int]) -> Iterator[Outcome]:
    """The ways that a call may go besides, where arguments that are indices are negative. `numbers`: which may be."""
    ways = [*outcomes]
    for number in numbers:
        further = [*_below_zero(ways, number)]
        if len(ways) + len(further) > MAX_CALL_WAYS:
            break
        ways += further
    yield from ways[len(outcomes) :]


def _below_zero(ways: list[Outcome], number: int) -> Iterator[Outcome]:
    formal: Expr = "formal", number
    asked = [_asked(way, formal) for way in ways]
    if any(one is not None and one.low < 0 for one in asked):
        return  # the callee has thought of them
    from_zero = [one.rest for one in asked if one is not None and one.from_zero]
    for way, one in zip(ways, asked, strict=True):
        if one is None or not one.any_number:
            continue
        if one.from_zero or not any(_both(one.rest, rest) for rest in from_zero):
            kept = tuple(condition for condition in way.conditions if not _is_of(condition, formal))
            yield way._replace(conditions=(*kept, (("cmpi", "slt", formal, FALSE), True)))


def _asked(way: Outcome, formal: Expr) -> _Asked | None:
    """What a way asks of a number; None: nothing."""
    low, high, rest = -INFINITY, INFINITY, set[Condition]()
    for condition in way.conditions:
        if not _is_of(condition, formal):
            rest.add(condition)
            continue
        (_, predicate, _, bound), truth = condition
        if truth and predicate in ("sge", "eq"):
            low = bound[1]
        if truth and predicate in ("sle", "eq"):
            high = bound[1]
    return _Asked(low, high, frozenset(rest)) if len(rest) < len(way.conditions) else None


def _is_of(condition: Condition, formal: Expr) -> bool:
    expr, _ = condition
    return expr[0] == "cmpi" and expr[2] == formal and expr[3][0] == "const"


def _both(one: frozenset[Condition], other: frozenset[Condition]) -> bool:
    """Whether two ways may ask that of others at once, as far as their text says."""
    return not any((expr, not truth) in other for expr, truth in one)
