"""Nested loops that pass a buffer on: findings do not depend on the depth."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memlane import check
from tests.hostile.growth import PHASES, power
from tests.hostile.shapes import TYPE, carried, carried_by_while


def replaced_first(depth: int) -> str:
    """The same where the buffer is freed before another one is made: nothing is wrong."""
    return carried(depth).replace(
        f"%x = memref.alloc() : {TYPE}\nmemref.dealloc %b{depth} : {TYPE}",
        f"memref.dealloc %b{depth} : {TYPE}\n%x = memref.alloc() : {TYPE}",
    )


def freed_twice(depth: int) -> str:
    """The same where it is freed twice."""
    line = f"memref.dealloc %b{depth} : {TYPE}\n"
    return carried(depth).replace(line, 2 * line)


def lost(depth: int) -> str:
    """The same where it is not freed."""
    return carried(depth).replace(f"memref.dealloc %b{depth} : {TYPE}\n", "")


def chosen(depth: int) -> str:
    """The same of conditions in each other."""
    lines = ["func.func @f(%c: i1) {", f"  %r = memref.alloc() : {TYPE}"]
    lines += [f"%r{at} = scf.if %c -> ({TYPE}) {{" for at in range(depth)]
    lines += [f"memref.dealloc %r : {TYPE}", f"%x = memref.alloc() : {TYPE}"]
    for at in range(depth, 0, -1):
        given = "%x" if at == depth else f"%r{at}"
        lines += [f"scf.yield {given} : {TYPE}", "} else {", f"scf.yield %r : {TYPE}", "}"]
    return "\n".join([*lines, f"memref.dealloc %r0 : {TYPE}", "return", "}", ""])


@pytest.mark.slow
@pytest.mark.parametrize("depth", [3, 11, 12, 16, 24, 40])
@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (carried, ["late-free"]),
        (carried_by_while, ["late-free"]),
        (replaced_first, []),
        (freed_twice, ["late-free", "double-free"]),
        (lost, ["possible-leak", "possible-leak"]),
        (chosen, []),
    ],
)
def test_depth_changes_nothing(make: Callable[[int], str], expected: list[str], depth: int) -> None:
    assert [finding.rule.name for finding in check(make(depth)).findings] == expected


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
@pytest.mark.parametrize("make", [carried, carried_by_while, freed_twice, chosen])
def test_growth_of_depth(make: Callable[[int], str]) -> None:
    """Whatever is made in a nest is asked for what is around it: somewhat more than linear."""
    assert power(lambda count: PHASES["check"](make(count)), 30) < 1.3
