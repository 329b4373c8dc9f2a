"""The notations inside TOML values: selectors, guards and region edges."""

from __future__ import annotations

import pytest

from memlane.dialects.model import Guard, RegionEdge, Selector
from memlane.dialects.notation import Names, NotationError, guard, region_edge, selector, selectors

NAMES = Names(["first", "many*", "last"])
TWO = Names(["some*", "more?", "end"])


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0, Selector(0, 1)),
        (-1, Selector(-1, None)),
        (-2, Selector(-2, -1)),
        ("1:", Selector(1, None)),
        ("0:2", Selector(0, 2)),
        (":-1", Selector(0, -1)),
        ("3", Selector(3, 4)),
        ("first", Selector(0, 1)),
        ("many", Selector(1, -1)),
        ("last", Selector(-1, None)),
        ("many[0]", Selector(1, 2)),
        ("ins", Selector(0, None, "ins")),
        ("ins[1:]", Selector(1, None, "ins")),
        ("buffers[2]", Selector(2, 3, "buffers")),
    ],
)
def test_selectors(value: object, expected: Selector) -> None:
    assert selector(value, NAMES) == expected


def test_a_name_between_two_variadic_ones_is_a_group() -> None:
    assert selector("some", TWO) == Selector(0, None, "some")
    assert selector("more", TWO) == Selector(0, None, "more")
    assert selector("end", TWO) == Selector(-1, None)


def test_neighbours_are_joined() -> None:
    assert selectors([1, 2], NAMES) == (Selector(1, 3),)
    assert selectors([0, 2], NAMES) == (Selector(0, 1), Selector(2, 3))
    assert selectors([2, 1], NAMES) == (Selector(2, 3), Selector(1, 2))


@pytest.mark.parametrize("value", ["", "1:2:3", "a b", "-", True, None, 1.5, {}])
def test_what_is_no_selector(value: object) -> None:
    with pytest.raises(NotationError, match="operands are selected by"):
        selector(value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("entry(3:) -> 0(1:) when trips", RegionEdge(None, 0, Selector(3), Selector(1), Guard.TRIPS)),
        ("entry -> 1 when false(0)", RegionEdge(None, 1, None, None, Guard.FALSE, 0)),
        ("entry -> * when case(0)", RegionEdge(None, -1, None, None, Guard.CASE, 0)),
        ("* -> results", RegionEdge(-1, None, Selector(), Selector())),
        ("0() -> results", RegionEdge(0, None, None, None)),
        ("0(1:) -> results(1:) when true(2)", RegionEdge(0, None, Selector(1), Selector(1), Guard.TRUE, 2)),
        ("entry(first) -> 0", RegionEdge(None, 0, Selector(0, 1), Selector())),
    ],
)
def test_region_edges(text: str, expected: RegionEdge) -> None:
    assert region_edge(text, NAMES) == expected


@pytest.mark.parametrize("text", ["", "entry", "0 <- 1", "a -> 0", "0 -> 0 when", "0 -> 0 when maybe", 3])
def test_what_is_no_edge(text: object) -> None:
    with pytest.raises(NotationError):
        region_edge(text)


def test_guards_name_an_operand_where_they_look_at_one() -> None:
    assert guard("true(1)") == (Guard.TRUE, 1)
    assert guard("always") == (Guard.ALWAYS, 0)
    for wrong in ("true", "trips(0)", "else"):
        with pytest.raises(NotationError, match="a guard is"):
            guard(wrong)
