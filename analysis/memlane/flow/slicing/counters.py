"""What counts the rounds of a loop, from one round to the next (loop_counter.py says which are distinguished)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from memlane.dialects.model import Guard
from memlane.flow.scalars.trip_count import TripOf
from memlane.flow.slicing.edge_effect import Passage
from memlane.flow.slicing.limits import MAX_CONSTANT_TRIPS, MAX_UNKNOWN_TRIPS
from memlane.flow.slicing.loop_counter import turning_points
from memlane.flow.slicing.slice import Slice
from memlane.flow.symbolic.branch_assumption import assume
from memlane.flow.symbolic.comparisons import NEGATED, SWAPPED, is_plain, offset_from
from memlane.flow.symbolic.range import INFINITY, Range
from memlane.flow.symbolic.scalar import FALSE, TRUE, Expr, Facts, Keep, constant, leaves, simplify


def trips(passage: Passage, part: Slice, facts: Facts, keep: Keep) -> Iterator[Facts]:
    """Whether a counted loop runs (once more), as what is known then; its counter is advanced where it is followed.

    Args:
        passage: an edge into a round of it, or out of the last.
        part: that says which loops are counted.
        facts: what is known before.
        keep: see `assume`.
    """
    trip, more = passage.trip, passage.edge.guard is Guard.TRIPS
    assert trip is not None
    counter, counted = trip.counter, passage.loop in part.counted
    lower, upper = simplify(trip.lower, facts), simplify(trip.upper, facts)
    now = lower
    if passage.source is not None:  # once more
        before = facts.get(counter)
        if isinstance(before, Range) and counted and trip.times is not None and trip.wraps is None:
            yield from _stretches(trip, before, more, turning_points(part, counter), facts)
            return
        if before is None or isinstance(before, Range):
            yield from _asked_again(trip, more, facts, keep)
            return
        now = simplify(("addi", trip.counted(before), trip.step), facts)
    stride = trip.step[1] if trip.step[0] == "const" else 1
    limit = stride * (MAX_CONSTANT_TRIPS if upper[0] == "const" else MAX_UNKNOWN_TRIPS)
    followed = more and counted and now[0] == "const" and lower[0] == "const"
    for after in assume(("cmpi", "slt", now, upper), more, facts, keep):
        after = {key: fact for key, fact in after.items() if key != counter}
        if followed and now[1] - lower[1] < limit:
            after[counter] = constant(trip.signed(now[1]))
        elif followed and trip.times is not None and trip.wraps is None:
            after[counter] = trip.stretch(now[1], turning_points(part, counter))
        elif followed:  # once it is followed no longer it is at least that
            after[counter] = trip.since(now[1])
        yield after


def _asked_again(trip: TripOf, more: bool, facts: Facts, keep: Keep) -> Iterator[Facts]:
    """Whether there is one more of rounds that are not counted, by what is known of what counts in the last one."""
    counter, last = trip.counter, facts.get(trip.counter)
    following: Facts = {}
    if more and isinstance(last, Range) and trip.wraps is None:
        following[counter] = counted_on(last, trip.step[1] if trip.step[0] == "const" else 1)
    ways: Iterable[Facts] = (facts,)
    if is_plain(trip.upper) and any(key[0] == "cmpi" and _is_asked(trip, key) for key in facts):
        ways = assume(("cmpi", "slt", ("addi", counter, trip.step), trip.upper), more, facts, keep)
    for after in ways:
        yield {**after, **following} if following else after


def _is_asked(trip: TripOf, compared: Expr) -> bool:
    """Whether something else is known of what counts than what holds in each round."""
    counting = any(_put(side, trip.counter, trip.counter) is not None for side in compared[2:])
    return counting and not any(compared == one for one, _ in trip.inside)


def counted_on(before: Range, step: int, points: Sequence[int] = ()) -> Range:
    """What counts in the next round, where it was one of some numbers in this one: that, or all up to where a decision
    may come out otherwise, so that there are no more ranges than that.

    Args:
        step: what is added, not 0.
        points: see `turning_points`.
    """
    if step < 0:
        low, high, holes = counted_on(Range(-before.high, -before.low), -step, [1 - one for one in reversed(points)])
        return Range(-high, -low, holes)
    low, high = before.low, before.high + step
    if before.low == before.high:
        low = high
    elif high in points:
        return Range(low, high)
    at = bisect_right(points, high)
    return Range(low, points[at] - 1 if at < len(points) else INFINITY)


def _stretches(trip: TripOf, before: Range, more: bool, numbers: Sequence[int], facts: Facts) -> Iterator[Facts]:
    """What counts after one of a stretch of rounds that no decision distinguishes: within that still, or in the next.

    Args:
        before: where it was. numbers: with which it is compared.
    """
    rest = {key: fact for key, fact in facts.items() if key != trip.counter}
    step, end = trip.step[1], trip.upper[1]
    at, last = before.low + step, before.high + step
    at += (trip.lower[1] - at) % step  # a condition may have left numbers that it does not come to
    if not more and last >= end:
        yield rest
    while more and at <= min(last, end - 1):
        fact = trip.stretch(int(at), numbers)
        yield {**rest, trip.counter: fact}
        at = step + (fact.high if isinstance(fact, Range) else fact[1])


def passed_by(passage: Passage, facts: Facts) -> Iterator[tuple[Expr, Expr]]:
    """What is known of counters in the next round by what they were in this one: beyond what they had come to. Gives
    comparisons that hold, each with what is compared with.

    Args:
        facts: what is known at the end of the round.
    """
    for key, fact in facts.items() if passage.steps else ():
        if key[0] != "cmpi" or fact not in (TRUE, FALSE):
            continue
        predicate = key[1] if fact == TRUE else NEGATED[key[1]]
        for name, left, right in ((predicate, *key[2:]), (SWAPPED[predicate], *key[:1:-1])):
            for receiver, step in passage.steps.items():
                after = _put(left, step.source, receiver)
                if after is None or step.source[1] in leaves(right) or any(key == one for one, _ in passage.inside):
                    continue
                yield from _compared_after(name, after, right, step.by)


def _put(number: Expr, source: Expr, receiver: Expr) -> Expr | None:
    """A number that is another one, or that and a constant, with another name for that."""
    if number == source:
        return receiver
    added = offset_from(number)
    return ("addi", receiver, constant(added[1])) if added is not None and added[0] == source else None


def _compared_after(name: str, number: Expr, other: Expr, by: int) -> Iterator[tuple[Expr, Expr]]:
    if not by:
        yield ("cmpi", name, number, other), other
    elif name in _REACHED[by > 0]:
        yield ("cmpi", "slt", *((other, number) if by > 0 else (number, other))), other


_REACHED = {True: ("eq", "sge", "sgt"), False: ("eq", "sle", "slt")}
"""How a counter compares with a number, from below or from above, that it is beyond in the next round."""
