"""Paths that differ in nothing that is asked again are one: as many states as that takes, and the same findings."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

import pytest

from memlane.checking import check
from memlane.findings import Finding
from memlane.flow import explore
from memlane.flow.events import Pair, Point
from memlane.flow.state import State
from tests.fuzz.programs import program
from tests.paths.programs import program as runnable

TYPE = "memref<4xf32>"


def selects(count: int, end: str = "") -> str:
    """A row of selects, each with a condition of its own: which of `count` + 1 buffers is it in the end?"""
    lines = [
        f"func.func @f({', '.join(f'%c{n}: i1' for n in range(1, count + 1))}) {{",
        f"  %s0 = memref.alloc() : {TYPE}",
    ]
    for number in range(1, count + 1):
        lines.append(f"  %m{number} = memref.alloc() : {TYPE}")
        lines.append(f"  %s{number} = arith.select %c{number}, %s{number - 1}, %m{number} : {TYPE}")
    return "\n".join([*lines, end, "  return", "}", ""])


def pairs(count: int) -> str:
    """Conditions that are each asked twice, and never again, around uses of a buffer that is lost in the end."""
    lines = [f"func.func @f({', '.join(f'%c{n}: i1' for n in range(count))}, %x: f32, %i: index) {{"]
    lines.append(f"  %a = memref.alloc() : {TYPE}")
    for number in range(count):
        for _ in range(2):
            lines += [f"  scf.if %c{number} {{", f"    memref.store %x, %a[%i] : {TYPE}", "  }"]
    return "\n".join([*lines, "  return", "}", ""])


def diamonds(count: int) -> str:
    """The same in blocks and branches."""
    lines = [f"func.func @f({', '.join(f'%c{n}: i1' for n in range(count))}, %x: f32, %i: index) {{"]
    lines += [f"  %a = memref.alloc() : {TYPE}", "  cf.br ^b0"]
    for number in range(2 * count):
        lines += [f"^b{number}:", f"  cf.cond_br %c{number // 2}, ^s{number}, ^b{number + 1}", f"^s{number}:"]
        lines += [f"  memref.store %x, %a[%i] : {TYPE}", f"  cf.br ^b{number + 1}"]
    return "\n".join([*lines, f"^b{2 * count}:", "  return", "}", ""])


@pytest.fixture(name="steps")
def counted(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], int]:
    """How many steps checking a text takes; nothing may be given up."""
    taken = 0
    step = explore.Explorer.step

    def one(self: explore.Explorer, point: Point, state: State) -> Iterable[Pair]:
        nonlocal taken
        taken += 1
        return step(self, point, state)

    def steps(source: str) -> int:
        nonlocal taken
        taken = 0
        assert "analysis-limit" not in {finding.rule.name for finding in check(source).findings}
        return taken

    monkeypatch.setattr(explore.Explorer, "step", one)
    return steps


@pytest.mark.parametrize("shape", [pairs, diamonds])
def test_conditions_that_nothing_asks_again(shape: Callable[[int], str], steps: Callable[[str], int]) -> None:
    """There are two to the power of them, and as many ways; each is asked twice."""
    assert steps(shape(200)) < 2.2 * steps(shape(100)) < 10_000


def test_names_that_nothing_uses_again(steps: Callable[[str], int]) -> None:
    """Of each select it matters only which buffer it is, not how it came to be that."""
    assert steps(selects(40)) < 10_000


def found(source: str) -> tuple[Finding, ...]:
    return check(source).findings


def test_the_findings_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = [program(random.Random(seed), 1 + seed % 5) for seed in range(20)]
    sources += [runnable(seed)[0] for seed in range(10)]
    before = [found(source) for source in sources]
    monkeypatch.setattr(explore, "FEW", -(10**9))
    assert [found(source) for source in sources] == before
