"""Ways of one operation that differ in nothing but what is known of one number or flag are one way.

A call of a function that goes sixteen ways gives sixteen states, and n of them in a row a power of sixteen, where each
way knows something else of what decides. Where the buffers are the same, and one way is taken if a number is 3 and
another if it is not, all that is known is that the number is anything: exactly what is known of both together, so that
nothing is found that no path does, and nothing is lost.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Any

from memlane.flow.dataflow.state import State
from memlane.flow.symbolic.range import Range
from memlane.flow.symbolic.scalar import FLAG, Expr, is_flag, leaves, operands
from memlane.syntax.tree.tree import Value

Known = frozenset[tuple[Expr, Expr | Range]]
Way = tuple[State, Hashable]
"""A state, and what else tells it from others."""


def united(ways: Iterable[Way]) -> list[State]:
    """The states of all ways, those as one that are alike but for one fact and together are all that a fact can say.

    They stand in the order in which the first of each came.
    """
    groups: dict[Hashable, list[State]] = {}
    for state, besides in ways:
        groups.setdefault((state._replace(facts=frozenset()), besides), []).append(state)
    found: list[State] = []
    for group in groups.values():
        known = [*dict.fromkeys(state.facts for state in group)]
        found.extend(group[0]._replace(facts=facts) for facts in fewer(known))
    return found


def fewer(known: list[Known]) -> list[Known]:
    """The same alternatives, in fewer where that is exact."""
    if len(known) < 2:
        return known
    common = known[0].intersection(*known)
    before = 0
    while before != len(known) > 1:
        before = len(known)
        for key in sorted({key for facts in known for key, _ in facts - common}, key=_order):
            known = _by(key, known)
    return known


def _order(expr: Expr) -> str:
    """By what expressions are sorted: that may not depend on addresses, in which sets have their order."""
    places = [(value.span.start, value.index) for value in leaves(expr)]
    return str((places, _shape(expr)))


def _shape(expr: Expr) -> list[Any]:
    """An expression without its values."""
    shape: list[Any] = [None if isinstance(part, Value) else part for part in expr if not isinstance(part, tuple)]
    return [*shape, *map(_shape, operands(expr))]


def _by(key: Expr, known: list[Known]) -> list[Known]:
    """The alternatives, those united that differ in what they know of `key` alone."""
    groups: dict[Known, list[Expr | Range | None]] = {}
    for facts in known:
        own = next((fact for fact in facts if fact[0] == key), None)
        groups.setdefault(facts - {own} if own is not None else facts, []).append(own[1] if own is not None else None)
    found: list[Known] = []
    for rest, facts in groups.items():
        found.extend(rest if fact is None else rest | {(key, fact)} for fact in _together(key, facts))
    return found


def _together(key: Expr, facts: list[Expr | Range | None]) -> Iterator[Expr | Range | None]:
    """What is known where one of some facts holds, as few facts; None: nothing."""
    if len(facts) == 1 or None in facts:
        yield facts[0] if len(facts) == 1 else None
        return
    spans: list[tuple[Range, Expr | Range | None]] = []
    for fact in facts:
        span = _range(fact) if fact is not None else None
        if span is None:
            yield fact
        else:
            spans.append((span, fact))
    spans.sort(key=lambda one: one[0][:2])
    while spans:
        (span, fact), *others = spans
        spans = []
        for other in others:
            both = span.joined(other[0])
            if both is None:
                spans.append(other)
            else:
                span, fact = both, _fact(key, both)
        yield fact


def _fact(key: Expr, span: Range) -> Expr | Range | None:
    """What is remembered of a number or flag; None: nothing, it may be anything."""
    return None if span == (FLAG if is_flag(key) else Range()) else span


def _range(fact: Expr | Range) -> Range | None:
    """The numbers of a fact; None: it is no number."""
    if isinstance(fact, Range):
        return fact
    return Range(fact[1], fact[1]) if fact[0] == "const" and isinstance(fact[1], int) else None
