"""The laws the analyses rest on: joins, transfer functions, and what may be concluded of scalars."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlane.flow.dataflow.solver import reach
from memlane.flow.symbolic.branch_assumption import assume
from memlane.flow.symbolic.range import Range
from memlane.flow.symbolic.scalar import FALSE, TRUE, Expr, Facts, constant, leaves, simplify
from memlane.syntax.tree.tree import Value

Pair = tuple[str, int]
PAIRS: list[Pair] = [(point, state) for point in "ab" for state in (0, 1)]
STEPS: list[tuple[Pair, ...]] = [(), (PAIRS[0],), (PAIRS[3],), (PAIRS[1], PAIRS[2])]


def reachable(starts: Iterable[Pair], after: dict[Pair, tuple[Pair, ...]]) -> set[Pair]:
    return set(reach(starts, lambda point, state: after[point, state], 100).pairs)


def test_join_and_transfer_laws_on_all_small_graphs() -> None:
    """The join is set union; what is reached from a union is the union of what is reached: hence all the laws."""
    for steps in product(STEPS, repeat=len(PAIRS)):
        after = dict(zip(PAIRS, steps, strict=True))
        from_one = {pair: reachable([pair], after) for pair in PAIRS}
        for left, right in product(PAIRS, repeat=2):
            both = reachable([left, right], after)
            assert both == from_one[left] | from_one[right]
            assert both == reachable([right, left], after)
            assert from_one[left] <= both
        assert all(reachable(found, after) == found for found in from_one.values())


NUMBERS = [Value(f"%n{i}", 0, 0, "i3", i) for i in range(3)]
FLAGS = [Value(f"%c{i}", 0, 0, "i1", i) for i in range(2)]
VALUES = range(-2, 4)

leaf_numbers = st.sampled_from(NUMBERS).map(lambda value: ("leaf", value))
widened = st.tuples(st.just("extui"), st.just(3), leaf_numbers)
flags = st.sampled_from(FLAGS).map(lambda value: ("leaf", value))
least = st.tuples(st.sampled_from(["maxsi", "minsi"]), leaf_numbers, leaf_numbers)
numbers = st.one_of(
    leaf_numbers,
    st.tuples(st.sampled_from(["maxsi", "minsi"]), leaf_numbers, least),
    st.tuples(st.just("select"), flags, leaf_numbers, leaf_numbers),
    st.tuples(st.sampled_from(["maxsi", "minsi", "andi", "ori"]), leaf_numbers, leaf_numbers),
    st.integers(-2, 3).map(constant),
    widened,
    st.tuples(st.just("trunci"), st.just(2), st.one_of(leaf_numbers, widened)),
)
PREDICATES = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ugt", "ule", "uge"]
comparisons = st.tuples(st.just("cmpi"), st.sampled_from(PREDICATES), numbers, numbers)
atoms = st.one_of(flags, st.sampled_from([TRUE, FALSE]), comparisons)
conditions = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["andi", "ori", "xori"]), inner, inner),
        st.tuples(st.just("select"), inner, inner, inner),
        st.tuples(st.just("cmpi"), st.sampled_from(PREDICATES), inner, inner),
    ),
    max_leaves=5,
)
Assignment = dict[Value, int]
COMPARE: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "slt": operator.lt,
    "sle": operator.le,
    "sgt": operator.gt,
    "sge": operator.ge,
}
BINARY: dict[str, Callable[[int, int], int]] = {
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    "maxsi": max,
    "minsi": min,
}
WIDTH = 1 << 32


def run(expr: Expr, values: Assignment) -> int:
    """The meaning of an expression, by the definition of its operations."""
    kind = expr[0]
    if kind == "const":
        return expr[1]
    if kind == "leaf":
        return values[expr[1]]
    if kind == "cmpi":
        predicate, left, right = expr[1], run(expr[2], values), run(expr[3], values)
        if predicate[0] == "u":
            predicate, left, right = f"s{predicate[1:]}", left % WIDTH, right % WIDTH
        return int(COMPARE[predicate](left, right))
    if kind in ("extui", "trunci"):
        bits, number = expr[1], run(expr[2], values)
        half = 1 << bits - 1
        return number % (2 * half) if kind == "extui" else (number + half) % (2 * half) - half
    parts = [run(part, values) for part in expr[1:]]
    if kind == "select":
        return parts[1] if parts[0] else parts[2]
    return BINARY[kind](*parts)


def agrees(facts: Facts, values: Assignment) -> bool:
    """Whether what is known does not contradict the values."""
    for expr, fact in facts.items():
        value = run(expr, values)
        if isinstance(fact, Range):
            if not fact.low <= value <= fact.high or value in fact.holes:
                return False
        elif value != run(fact, values):
            return False
    return True


def assignments() -> Iterable[Assignment]:
    for flags in product((0, 1), repeat=len(FLAGS)):
        for chosen in product(VALUES, repeat=len(NUMBERS)):
            yield dict(zip((*FLAGS, *NUMBERS), (*flags, *chosen), strict=True))


@pytest.mark.slow
@given(st.lists(st.tuples(conditions, st.booleans()), min_size=1, max_size=3))
@settings(max_examples=300)
def test_nothing_possible_is_excluded(decisions: list[tuple[Expr, bool]]) -> None:
    """Whatever the values: if they make the decisions, some of the environments agrees with them."""
    environments: list[Facts] = [{}]
    for condition, truth in decisions:
        environments = [after for before in environments for after in assume(condition, truth, before, lambda _: True)]
    for values in assignments():
        if all(bool(run(condition, values)) == truth for condition, truth in decisions):
            assert any(agrees(facts, values) for facts in environments), values


@pytest.mark.slow
@given(conditions, conditions, st.booleans())
@settings(max_examples=300)
def test_what_is_concluded_is_true(known: Expr, asked: Expr, truth: bool) -> None:
    """Where the environments decide a condition, it is what the values say."""
    for facts in assume(known, truth, {}, lambda _: True):
        found = simplify(asked, facts)
        for values in assignments():
            if agrees(facts, values):
                assert run(found, values) == run(asked, values)


orders = st.tuples(st.just("cmpi"), st.sampled_from(PREDICATES), leaf_numbers, st.one_of(leaf_numbers, numbers))


@pytest.mark.slow
@given(st.lists(st.tuples(orders, st.booleans()), min_size=2, max_size=5))
@settings(max_examples=300)
def test_orders_of_numbers(decisions: list[tuple[Expr, bool]]) -> None:
    """What is possible is not excluded; and with two numbers that are known by their order alone, nothing else is."""
    environments: list[Facts] = [{}]
    for condition, truth in decisions:
        environments = [after for before in environments for after in assume(condition, truth, before, lambda _: True)]
    possible = [
        values
        for values in assignments()
        if all(bool(run(condition, values)) == truth for condition, truth in decisions)
    ]
    for values in possible:
        assert any(agrees(facts, values) for facts in environments), values
    named = {leaf for condition, _ in decisions for leaf in leaves(condition)}
    plain = all(part[0] == "leaf" for condition, _ in decisions for part in condition[2:])
    if plain and len(named) <= 2 and environments:
        assert possible


@given(conditions)
def test_leaves_are_those_of_the_text(condition: Expr) -> None:
    assert {leaf.name for leaf in leaves(condition)} <= {value.name for value in (*NUMBERS, *FLAGS)}
