"""Conditions of which each is made of the negation of the one before: no way through them is followed that a constant
at its end rules out."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product

import pytest

from memlane.flow.symbolic.branch_assumption import assume
from memlane.flow.symbolic.scalar import FALSE, TRUE, Expr, Facts, simplify
from memlane.syntax.tree.tree import Value
from tests.hostile.growth import lines_run


def flags(count: int) -> list[Expr]:
    return [("leaf", Value(f"%c{at}", at, 2, "i1", at)) for at in range(count)]


def chain(count: int) -> Expr:
    """Of each but the last the next is that it does not hold, and a flag does."""
    first, *others = flags(count)
    for flag in others:
        first = ("andi", ("xori", first, TRUE), flag)
    return first


def chosen(count: int) -> Expr:
    """The same by choices between a flag and a constant."""
    first, *others = flags(count)
    for flag in others:
        first = ("select", first, FALSE, flag)
    return first


def ways(expr: Expr, truth: bool) -> list[Facts]:
    return [*assume(expr, truth, {}, lambda _: True)]


@pytest.mark.slow
@pytest.mark.parametrize("make", [chain, chosen])
def test_conditions_of_many_ways_take_no_more_than_the_square_of_their_length(make: Callable[[int], Expr]) -> None:
    """What has few ways is followed on each of them; what has many (a power of its length) is one fact."""
    assert len(ways(make(6), True)) > 1
    assert len(ways(make(24), True)) == 1
    few, many = (lines_run(lambda n=n: ways(make(n), True)) for n in (12, 24))
    assert many < 5 * few


@pytest.mark.parametrize("truth", [True, False])
def test_what_nobody_remembers_is_one_way(truth: bool) -> None:
    """However many ways there are to a condition made of 40 flags: they would be the same, and a power."""
    first, *others = flags(40)
    for number, flag in enumerate(others):
        first = (("andi", "ori", "xori")[number % 3], first, flag)
    assert [*assume(first, truth, {}, lambda _: False)] == [{}]


def test_where_little_is_remembered_nothing_possible_is_excluded() -> None:
    chance, leaves = random.Random(7), flags(4)
    for _ in range(300):
        expr, kept = _some(chance, leaves, 4), chance.sample(leaves, 2)
        for truth in (False, True):
            found = [*assume(expr, truth, {}, kept.__contains__)]
            for values in product((TRUE, FALSE), repeat=len(leaves)):
                env: Facts = dict(zip(leaves, values, strict=True))
                if simplify(expr, env) == (TRUE if truth else FALSE):
                    assert any(all(env[key] == fact for key, fact in one.items()) for one in found)


def test_what_is_found_is_what_holds() -> None:
    """Expressions by chance: where one is true, one of the environments is, and in each of them it is."""
    chance, leaves = random.Random(3), flags(4)
    for _ in range(300):
        expr = _some(chance, leaves, 4)
        for truth in (False, True):
            found = ways(expr, truth)
            for values in product((TRUE, FALSE), repeat=len(leaves)):
                env: Facts = dict(zip(leaves, values, strict=True))
                holds = any(all(simplify(key, env) == fact for key, fact in one.items()) for one in found)
                assert holds == (simplify(expr, env) == (TRUE if truth else FALSE))


def _some(chance: random.Random, leaves: list[Expr], depth: int) -> Expr:
    if depth == 0 or chance.random() < 0.2:
        return chance.choice([*leaves, TRUE, FALSE])
    kind = chance.choice(("andi", "ori", "xori", "select"))
    return (kind, *(_some(chance, leaves, depth - 1) for _ in range(3 if kind == "select" else 2)))
