"""Ways that no execution takes: constants, what is asserted, or a condition that control has passed before decide it.

A condition holds wherever the way on which it was found to hold leads to alone: on each path there, that way comes last
behind the definitions of all values that it asks, as these are defined before it. The bounds of a counted loop are a
condition like any other.

What a way asks of numbers that other ways hand over, as a loop asks of its counter, it asks of what these hand over. A
way to which control comes back only behind itself is never taken where the others hand over what it is not taken with:
a loop whose first round does not begin has none.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import NamedTuple

from memlane.dialects.model import Guard
from memlane.flow.cfg.control_facts import ControlFact
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.cfg.region_dispatch import hubs_of, through_hubs
from memlane.flow.derived import query
from memlane.flow.scalars.edge_conditions import condition_of
from memlane.flow.scalars.expressions import handed_over
from memlane.flow.scalars.trip_count import trip_of
from memlane.flow.slicing.entry_conditions import EntryCondition, of_rounds
from memlane.flow.symbolic.branch_assumption import assume, assume_case
from memlane.flow.symbolic.range import Range
from memlane.flow.symbolic.scalar import Expr, Facts, leaves, points, simplify
from memlane.placement.limits import (
    MAX_CONDITIONS,
    MAX_FORWARDING_BLOCKS,
    MAX_FORWARDING_WAYS,
    MAX_HANDING,
    MAX_PRUNINGS,
)
from memlane.placement.segments import Segments, Way
from memlane.syntax.tree.tree import Block, Op, Value


class _Passed(NamedTuple):
    """A condition that holds from the start of a segment on; `position` of that."""

    position: int
    segment: int
    condition: EntryCondition


def feasible_segments(graph: Graph, holders: Collection[Op]) -> Segments:
    """The segments of a function, without the ways that no execution takes."""
    return Segments(graph, holders, query(graph, edges_never_taken))


class NeverTaken(ControlFact, set[Edge]):
    """The edges of a function that no execution takes."""

    __slots__ = ()

    def stands(self, blocks: Collection[Block], edges: Collection[Edge]) -> bool:
        """Whether it holds no edge that is made anew."""
        return self.isdisjoint(edges)


def edges_never_taken(graph: Graph) -> Set[Edge]:
    """The edges of a function that no execution takes."""
    return _standing(through_hubs(graph), 1)


def edges_never_taken_closely(graph: Graph) -> Set[Edge]:
    """The same where loops forward numbers to loops inside them, too: a fifth more work for a lowered program, so that
    only what would be an error is asked so."""
    return _standing(through_hubs(graph), MAX_FORWARDING_WAYS)


def _standing(graph: Graph, forwarding: int) -> Set[Edge]:
    found = _never_taken(graph, forwarding)
    return frozenset(found) if hubs_of(graph) else found  # an edit has all edges through hubs made anew


def _never_taken(graph: Graph, forwarding: int) -> NeverTaken:
    holders = {op for ops in graph.named.values() for op in ops if op.regions}
    found, asked = _decided(graph, holders)
    if not asked:  # constants decide all, and the segments cost more than that
        return found
    segments = Segments(graph, holders, found)
    for _ in range(MAX_PRUNINGS):
        conditions = _Conditions(graph, segments, asked, forwarding)
        ways = (way for number in segments.order for way in segments.after[number] if way.edge in asked)
        never = {way for way in ways if conditions.exclude(way)}
        if not never:
            break
        found.update(way.edge for way in never)
        segments.leave_out(never)
    return found


def _decided(graph: Graph, holders: Collection[Op]) -> tuple[NeverTaken, dict[Edge, EntryCondition]]:
    """The edges that constants decide, or that lead on from what ends the program; and what is asked on the others."""
    found = NeverTaken(edge for op in graph.stopping.values() for edge in _edges_behind(graph, op, holders))
    asked: dict[Edge, EntryCondition] = {}
    simple: dict[Expr, Expr] = {}  # each loop asks one thing on four edges, and many loops have the same bounds
    for edge, source in _edges(graph, holders):
        expr = None if edge.guard is Guard.ALWAYS else _asked_on(graph, edge, source)
        if expr is None:
            continue
        known = simple.get(expr)
        if known is None:
            known = simple[expr] = simplify(expr, {})
        if known[0] != "const":
            asked[edge] = EntryCondition(expr, edge)
        elif not _repeats(edge, source) and not _is_taken(edge, known):
            found.add(edge)
    return found, asked


def _is_taken(edge: Edge, number: Expr) -> bool:
    """Whether control takes an edge where what it asks is some constant."""
    if edge.guard is Guard.CASE:
        return _may_hold(EntryCondition(number, edge), {})
    return bool(number[1]) is _asks_true(edge)


def _edges(graph: Graph, holders: Iterable[Op]) -> Iterator[tuple[Edge, Block | None]]:
    """The edges of a function, each with the block at whose end it is; None: from an op into its regions or past it."""
    regions = [*graph.function.regions]
    for op in holders:
        yield from ((edge, None) for edge in graph.entries(op))
        regions += op.regions
    for block in (block for region in regions for block in region.blocks):
        yield from ((edge, block) for edge in graph.exits(block))


def _edges_behind(graph: Graph, stop: Op, holders: Container[Op]) -> Sequence[Edge]:
    """The edges that follow next on an op in its block."""
    assert stop.parent is not None
    inside = next((op for op in stop.parent.ops[stop.index + 1 :] if op in holders), None)
    return graph.entries(inside) if inside is not None else graph.exits(stop.parent)


def _repeats(edge: Edge, source: Block | None) -> bool:
    """Whether an edge leads to one more round of a loop: what its bounds say was asked before the first."""
    return edge.guard is Guard.TRIPS and source is not None


def _asked_on(graph: Graph, edge: Edge, source: Block | None) -> Expr | None:
    """What is known where an edge is taken: that a loop begins in each of its rounds, that it does not where it is gone
    past."""
    if edge.guard not in (Guard.TRIPS, Guard.DONE):
        return condition_of(graph, edge)
    if edge.guard is Guard.DONE and source is not None:
        return None
    trip = trip_of(graph, edge.place if source is None else source.region.op)
    return None if trip is None else ("cmpi", "slt", trip.lower, trip.upper)


class _Conditions:
    """The conditions of a function.

    Args:
        graph, segments: of the function.
        asked: what is asked on edges.
        forwarding: so many ways may come to a block that forwards a number.
    """

    def __init__(self, graph: Graph, segments: Segments, asked: Mapping[Edge, EntryCondition], forwarding: int) -> None:
        self._graph, self._segments, self._asked, self._forwarding = graph, segments, asked, forwarding
        self._leaves: dict[Expr, frozenset[Value]] = {}
        self._passed: dict[Value, list[_Passed]] = {}
        for position, number in enumerate(segments.order if asked else ()):
            for leaf, condition in self._holding(number):
                self._passed.setdefault(leaf, []).append(_Passed(position, number, condition))

    @cached_property
    def _dominates(self) -> Callable[[int, int], bool]:
        return self._segments.dominance()

    def exclude(self, way: Way) -> bool:
        """Whether a way cannot be taken, as what it asks does not hold by what is known before."""
        segment, condition = self._segments.every[way.source], self._asked[way.edge]
        if _repeats(way.edge, segment.block if segment.head is None else None):
            return False
        before = [*self._before(way.source, condition.expr)]
        if before and not _may_hold(condition, _known(before)):
            return True
        return self._is_unmet(way, condition, way.source, MAX_FORWARDING_BLOCKS)

    # ---- what was passed before --------------------------------------------------------------------------------------

    def _holding(self, number: int) -> Iterator[tuple[Value, EntryCondition]]:
        """What holds from the start of a segment on, and of which values: of rounds, of what counts them."""
        ways = self._segments.before[number]
        first = self._asked.get(ways[0].edge) if ways else None
        if first is not None:
            others = (self._asked.get(way.edge) for way in ways[1:])
            if all(other is not None and _key(other) == _key(first) for other in others):
                yield from ((leaf, first) for leaf in self._leaves_of(first.expr))
        block = self._segments.every[number].block
        if ways and block.region.index == block.index == 0 and self._segments.entry_of(block) == number:
            trip = trip_of(self._graph, block.region.op)
            for expr in of_rounds(trip) if trip is not None else ():
                yield from ((leaf, EntryCondition(expr)) for leaf in self._leaves_of(expr) if leaf.block is block)

    def _leaves_of(self, expr: Expr) -> frozenset[Value]:
        found = self._leaves.get(expr)
        if found is None:
            found = self._leaves[expr] = frozenset(leaves(expr))
        return found

    def _before(self, number: int, expr: Expr) -> Iterator[EntryCondition]:
        """What was passed before a segment of what an expression is about."""
        position = self._segments.position[number]
        for leaf in dict.fromkeys(leaves(expr)):
            passed = self._passed.get(leaf, [])
            at = bisect_right(passed, position, key=_position)
            for one in passed[max(at - MAX_CONDITIONS, 0) : at]:
                if self._dominates(one.segment, number):
                    yield one.condition

    # ---- what is handed over -----------------------------------------------------------------------------------------

    def _is_unmet(self, way: Way, condition: EntryCondition, source: int, left: int) -> bool:
        """Whether a way is not taken with what is handed over before it has been taken.

        Args:
            condition: what the way asks, by what is known at the end of segment `source`.
            left: so many more blocks that forward numbers are looked at.
        """
        about = self._leaves_of(condition.expr)
        if not any(map(self._is_handed, about)) or points(condition.expr):
            return False
        places = {leaf: self._defining(leaf) for leaf in about}
        handed = {leaf: place for leaf, place in places.items() if place is not None and self._is_handed(leaf)}
        if not handed:
            return False
        position = self._segments.position
        home = max(handed.values(), key=position.__getitem__)
        if home != source and not self._dominates(home, source):
            return False
        given = [leaf for leaf, place in handed.items() if place == home]
        ways = self._segments.before[home]
        if not 0 < len(ways) <= (MAX_HANDING if left == MAX_FORWARDING_BLOCKS else self._forwarding):
            return False
        ways = sorted(ways, key=lambda one: position[one.source])  # most have one before it that does
        if not all(self._is_before(place, home) for leaf, place in places.items() if leaf not in given):
            return False
        return all(self._is_behind(one, way) or self._is_refused(one, condition, given, way, left) for one in ways)

    def _is_refused(
        self, handing: Way, condition: EntryCondition, given: Collection[Value], way: Way, left: int
    ) -> bool:
        """Whether what one way hands over does not hold, before another has been taken.

        Args:
            given: the values of the condition that it hands over.
            way, left: as in `_is_unmet`.
        """
        handed = {receiver: source for source, receiver in handing.edge.bindings}
        expr = handed_over(self._graph, condition.expr, {leaf: handed.get(leaf) for leaf in given})
        if expr is None:
            return False
        about = {*leaves(expr)}
        before = [one for one in self._before(handing.source, expr) if about.issuperset(leaves(one.expr))]
        if (own := self._asked.get(handing.edge)) is not None:
            before.append(own)
        asked = EntryCondition(expr, condition.edge)
        if not _may_hold(asked, _known(before)):
            return True
        return left > 0 and self._is_unmet(way, asked, handing.source, left - 1)

    def _is_behind(self, one: Way, way: Way) -> bool:
        """Whether control has passed the second of two ways before it passes the first."""
        return one is way or (self._enters_alone(way) and self._dominates(way.target, one.source))

    def _enters_alone(self, way: Way) -> bool:
        """Whether control comes to the target of a way by that alone, but for ways that come back to it."""
        ways = self._segments.before[way.target]
        return all(other is way or self._dominates(way.target, other.source) for other in ways)

    def _is_before(self, place: int | None, home: int) -> bool:
        """Whether what is defined in a segment is the same wherever control has come to another."""
        return place is not None and place != home and self._dominates(place, home)

    def _is_handed(self, value: Value) -> bool:
        """Whether ways hand a value over."""
        if value.op is None:
            return value.block is not self._graph.entry
        place = self._segments.of(value.op) if value.op.regions else None
        return place is not None and self._segments.every[place[0]].head is value.op

    def _defining(self, value: Value) -> int | None:
        """The segment in which a value is defined, or at whose start it is handed over."""
        if value.op is None:
            return self._segments.entry_of(value.block) if value.block is not None else None
        place = self._segments.of(value.op)
        return self._segments.behind(value.op) if self._is_handed(value) else place[0] if place is not None else None


def _key(condition: EntryCondition) -> tuple[Expr, Guard, int | None, tuple[int, ...]]:
    """Equal for conditions that say the same."""
    edge = condition.edge
    return (condition.expr, edge.guard, edge.case, edge.others) if edge else (condition.expr, Guard.TRUE, None, ())


def _known(conditions: Iterable[EntryCondition]) -> Facts:
    """What is known where some conditions hold."""
    facts: Facts = {}
    for one in {_key(one): one for one in conditions}.values():
        facts = {**_any_index(one.expr), **facts}
        ways = [*_assumed(one, facts)]
        facts = ways[0] if len(ways) == 1 else facts
    return facts


def _may_hold(condition: EntryCondition, facts: Facts) -> bool:
    return next(_assumed(condition, {**_any_index(condition.expr), **facts}), None) is not None


def _any_index(expr: Expr) -> Facts:
    """That an index may be negative, which paths through a function take for granted only until it asks."""
    return {("leaf", leaf): Range() for leaf in leaves(expr) if leaf.type == "index"}


def _assumed(condition: EntryCondition, facts: Facts) -> Iterator[Facts]:
    """What is known in the cases in which a condition holds; none: it never does."""
    expr, edge = condition
    if edge is not None and edge.guard is Guard.CASE:
        return assume_case(expr, edge.case, edge.others, facts, _kept)
    return assume(expr, edge is None or _asks_true(edge), facts, _kept)


def _asks_true(edge: Edge) -> bool:
    """Whether an edge is taken where what it asks holds, or else where it does not."""
    return edge.guard in (Guard.TRUE, Guard.HOLDS, Guard.TRIPS)


def _kept(_: Expr) -> bool:
    return True


def _position(one: _Passed) -> int:
    return one.position
