"""Ways that no execution takes: constants, what is asserted, or a condition that control has passed before decide it.

A condition holds wherever the way on which it was found to hold leads to alone: on each path there, that way comes last
behind the definitions of all values that it asks, as these are defined before it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from memlane.dialects.model import Guard
from memlane.flow.cfg.edge import Edge
from memlane.flow.cfg.graph import Graph
from memlane.flow.scalars.edge_conditions import condition_of
from memlane.flow.scalars.unreachable_code import is_cut
from memlane.flow.symbolic.branch_assumption import assume, assume_case
from memlane.flow.symbolic.scalar import Expr, Facts, leaves
from memlane.placement.segments import Segments, Way
from memlane.syntax.tree.tree import Op, Value

_MAX_CONDITIONS = 8
"""Conditions about one value that are looked at: the last ones before a place."""


_MAX_PRUNINGS = 4
"""So often ways that no execution takes are looked for: without these, others may be found."""


class _Condition(NamedTuple):
    """What is asked where a way begins: it holds behind that, from the place on to which the way leads."""

    place: int
    way: Way
    expr: Expr


def feasible_segments(graph: Graph, holders: Collection[Op]) -> Segments:
    """The segments of a function, without the ways that no execution takes."""
    segments = Segments(graph, holders)
    for _ in range(_MAX_PRUNINGS):
        never = _never_taken(graph, segments)
        if not never:
            break
        segments.leave_out(never)
    return segments


def _never_taken(graph: Graph, segments: Segments) -> set[int]:
    """The ids of the ways of a function that no execution takes, as far as those tell that lead to the segments."""
    found: set[int] = set()
    conditions: list[_Condition] = []
    places = ((op, segments.of(op)) for op in graph.stopping.values())
    ended = {place[0] for op, place in places if place is not None and _is_in(op, place, segments)}
    for number in segments.order:
        ways = segments.after[number]
        segment = segments.every[number]
        if number in ended:
            found.update(map(id, ways))
            continue
        source = segment.block if segment.head is None else None
        for way in ways:
            if way.edge.guard is Guard.ALWAYS:
                continue
            if is_cut(graph, way.edge, source):
                found.add(id(way))
            elif (expr := condition_of(graph, way.edge)) is not None:
                conditions.append(_Condition(segments.position[way.target], way, expr))
    return found | _contradicted(segments, conditions)


def _is_in(op: Op, place: tuple[int, int], segments: Segments) -> bool:
    """Whether a place is an op's own, not that of one around it, which need not come to it."""
    return segments.every[place[0]].block is op.parent


def _contradicted(segments: Segments, conditions: list[_Condition]) -> set[int]:
    """The ids of the ways whose conditions cannot hold behind those that were passed before."""
    asked: dict[Value, set[int]] = {}
    for one in conditions:
        for leaf in leaves(one.expr):
            asked.setdefault(leaf, set()).add(one.way.source)
    again = {leaf for leaf, places in asked.items() if len(places) > 1}
    if not again:
        return set()
    passed: dict[Value, list[_Condition]] = {}
    for one in sorted(conditions, key=_place):
        if sum(segments.position[way.source] >= 0 for way in segments.before[one.way.target]) == 1:
            for leaf in again.intersection(leaves(one.expr)):
                passed.setdefault(leaf, []).append(one)
    dominates = segments.dominance()
    return {id(one.way) for one in conditions if _is_contradicted(one, passed, segments, dominates)}


def _is_contradicted(
    one: _Condition,
    passed: dict[Value, list[_Condition]],
    segments: Segments,
    dominates: Callable[[int, int], bool],
) -> bool:
    source = one.way.source
    known: dict[tuple[Expr, Guard, int | None, tuple[int, ...]], _Condition] = {}
    for leaf in dict.fromkeys(leaves(one.expr)):
        before = passed.get(leaf, [])
        at = bisect_left(before, segments.position[source] + 1, key=_place)
        for other in before[max(at - _MAX_CONDITIONS, 0) : at]:
            if dominates(other.way.target, source):
                edge = other.way.edge
                known[other.expr, edge.guard, edge.case, edge.others] = other
    facts: Facts = {}
    for other in known.values():
        ways = [*_assumed(other.way.edge, other.expr, facts)]
        facts = ways[0] if len(ways) == 1 else facts
    return bool(facts) and next(_assumed(one.way.edge, one.expr, facts), None) is None


def _assumed(edge: Edge, expr: Expr, facts: Facts) -> Iterator[Facts]:
    """What is known in the cases in which an edge is taken; none: it never is."""
    if edge.guard is Guard.CASE:
        return assume_case(expr, edge.case, edge.others, facts, _kept)
    return assume(expr, edge.guard in (Guard.TRUE, Guard.HOLDS), facts, _kept)


def _kept(_: Expr) -> bool:
    return True


def _place(one: _Condition) -> int:
    return one.place
