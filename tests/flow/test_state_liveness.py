"""States forget what is not asked again: as few states as that takes, and the same findings."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

import pytest

from memlane.checking import check
from memlane.flow.dataflow.events import Point
from memlane.flow.slicing import live_variables
from memlane.flow.typestate import explorer
from tests.fuzz.programs import program
from tests.hostile.growth import power
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
    """Conditions that are each asked twice, and never again, around uses of a buffer that is lent, and lost."""
    lines = [f"func.func @f({', '.join(f'%c{n}: i1' for n in range(count))}, %x: f32, %i: index) {{"]
    lines.append(f"  %a = memref.alloc() : {TYPE}")
    for number in range(count):
        for _ in range(2):
            lines += [f"  scf.if %c{number} {{", f"    memref.store %x, %a[%i] : {TYPE}", "  }"]
    lines += [f"  func.call @use(%a) : ({TYPE}) -> ()", "  return", "}"]
    return "\n".join([*lines, f"func.func private @use(%a: {TYPE}) {{", "  return", "}", ""])


def diamonds(count: int) -> str:
    """The same in blocks and branches."""
    lines = [f"func.func @f({', '.join(f'%c{n}: i1' for n in range(count))}, %x: f32, %i: index) {{"]
    lines += [f"  %a = memref.alloc() : {TYPE}", "  cf.br ^b0"]
    for number in range(2 * count):
        lines += [f"^b{number}:", f"  cf.cond_br %c{number // 2}, ^s{number}, ^b{number + 1}", f"^s{number}:"]
        lines += [f"  memref.store %x, %a[%i] : {TYPE}", f"  cf.br ^b{number + 1}"]
    return "\n".join([*lines, f"^b{2 * count}:", "  return", "}", ""])


def taken(source: str, steps: list[Point]) -> int:
    """How many steps checking a text takes; nothing may be given up."""
    steps.clear()
    assert "analysis-limit" not in {finding.rule.name for finding in check(source).findings}
    return len(steps)


@pytest.mark.slow
@pytest.mark.parametrize("shape", [pairs, diamonds])
def test_conditions_that_nothing_asks_again(shape: Callable[[int], str], steps: list[Point]) -> None:
    """There are two to the power of them, and as many ways; each is asked twice."""
    once = taken(shape(100), steps)
    assert taken(shape(200), steps) < 2.2 * once < 10_000


@pytest.mark.slow
def test_names_that_nothing_uses_again(steps: list[Point]) -> None:
    """Of each select it matters only which buffer it is, not how it came to be that."""
    assert 0 < taken(selects(40), steps) < 10_000


def stages(count: int) -> str:
    """Loops in a row that each replace the buffer carried through them; the last one is freed twice."""
    lines = ["func.func @f(%n: index, %zero: index, %one: index) {", f"  %r0 = memref.alloc() : {TYPE}"]
    for number in range(count):
        head = f"  %r{number + 1} = scf.for %i{number} = %zero to %n step %one iter_args(%v{number} = %r{number})"
        lines += [f"{head} -> ({TYPE}) {{", f"    memref.dealloc %v{number} : {TYPE}"]
        lines += [f"    %b{number} = memref.alloc() : {TYPE}", f"    scf.yield %b{number} : {TYPE}", "  }"]
    return "\n".join([*lines, *[f"  memref.dealloc %r{count} : {TYPE}"] * 2, "  return", "}", ""])


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_names_of_what_is_gone_are_forgotten_soon() -> None:
    """A state that names what each loop has freed costs as much as there are loops."""
    assert rules(stages(20)) == ["double-free"]
    assert power(lambda count: partial(check, stages(count)), 80) < 1.25


def owned(count: int) -> str:
    """Branches that may each put a new buffer in place of the one before, which is freed behind them if it is owned, as
    upstream's deallocation pass writes it."""
    flags = ", ".join(f"%c{n}: i1" for n in range(count))
    lines = [f"func.func @f(%b0: {TYPE}, %x: f32, %i: index, {flags}) {{", "  %true = arith.constant true"]
    lines += ["  %o0 = arith.constant false"]
    for n in range(count):
        lines += [f"  %r{n}:2 = scf.if %c{n} -> ({TYPE}, i1) {{", f"    %n{n} = memref.alloc() : {TYPE}"]
        lines += [f"    scf.yield %n{n}, %true : {TYPE}, i1", "  } else {"]
        lines += [
            f"    scf.yield %b{n}, %o0 : {TYPE}, i1",
            "  }",
            f"  %b{n + 1} = memref.cast %r{n}#0 : {TYPE} to {TYPE}",
        ]
        lines += [f"  memref.store %x, %b{n + 1}[%i] : {TYPE}"]
        kept = f"(%b{n} : {TYPE}) if (%o{n}) retain (%b{n + 1} : {TYPE})"
        lines += [f"  %k{n} = bufferization.dealloc {kept}", f"  %o{n + 1} = arith.ori %k{n}, %r{n}#1 : i1"]
    return "\n".join([*lines, f"  bufferization.dealloc (%b{count} : {TYPE}) if (%o{count})", "  return", "}", ""])


def test_names_whose_address_was_asked_are_forgotten(steps: list[Point]) -> None:
    """Else a state says for each branch, as long as the function is, which buffer came out of it."""
    assert {finding.rule.name for finding in check(owned(40)).findings} == {"redundant-dealloc-check"}
    assert 0 < len(steps) < 12_000


@pytest.mark.slow
def test_what_is_asked_far_away_is_forgotten_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether values are followed one by one or all at once."""
    sources = [program(random.Random(seed), 1 + seed % 5) for seed in range(20)]
    sources += [runnable(seed)[0] for seed in range(10)] + [diamonds(20), pairs(20), selects(12)]
    monkeypatch.setattr(explorer, "MIN_STEPS_BEFORE_LIVENESS", -(10**9))
    before = [found(source) for source in sources]
    monkeypatch.setattr(live_variables, "MAX_NEAR_BLOCKS", 0)
    assert [found(source) for source in sources] == before


def owners(count: int) -> str:
    """Calls in a row that each may replace a buffer, and hand on with it whether it is the caller's to free."""
    lines: list[str] = []
    for n in range(count):
        lines += [f"func.func private @g{n}(%a: {TYPE}, %own: i1, %c: i1) -> ({TYPE}, i1) {{"]
        lines += ["  %true = arith.constant true", f"  %r, %o = scf.if %c -> ({TYPE}, i1) {{"]
        lines += [
            f"    %m = memref.alloc() : {TYPE}",
            "    scf.if %own {",
            f"      memref.dealloc %a : {TYPE}",
            "    }",
        ]
        lines += [f"    scf.yield %m, %true : {TYPE}, i1", "  } else {", f"    scf.yield %a, %own : {TYPE}, i1", "  }"]
        lines += [f"  return %r, %o : {TYPE}, i1", "}"]
    lines += [f"func.func @f({', '.join(f'%c{n}: i1' for n in range(count))}) {{", "  %true = arith.constant true"]
    lines += [f"  %a = memref.alloc() : {TYPE}"]
    buffer, own = "%a", "%true"
    for n in range(count):
        kinds = f"({TYPE}, i1, i1) -> ({TYPE}, i1)"
        lines += [f"  %r{n}:2 = call @g{n}({buffer}, {own}, %c{n}) : {kinds}"]
        buffer, own = f"%r{n}#0", f"%r{n}#1"
    lines += [f"  scf.if {own} {{", f"    memref.dealloc {buffer} : {TYPE}", "  }"]
    return "\n".join([*lines, "  return", "}", ""])


@pytest.mark.slow
def test_owners_that_calls_hand_on(steps: list[Point]) -> None:
    """Each buffer is known by the name that the last call gave it, whichever call has made it."""
    assert taken(owners(40), steps) < 10_000
    assert set(rules(owners(40))) == {"argument-free"}


def rules(source: str) -> list[str]:
    return [finding.rule.name for finding in check(source).findings]


def found(source: str) -> list[tuple[object, ...]]:
    """What is found, but for the choices that lead there: of several ways that are as short, any one is shown."""
    reports = [(finding.rule, finding.severity, finding.function, finding.report) for finding in check(source).findings]
    return [
        (rule, severity, function, report.message, report.span, report.certainty, report.buffer, report.notes[:1])
        for rule, severity, function, report in reports
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("limit", "least"), [("MIN_STEPS_BEFORE_LIVENESS", -(10**9)), ("MIN_HEAVY_STATE", 0)])
def test_the_findings_are_the_same(limit: str, least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = [program(random.Random(seed), 1 + seed % 5) for seed in range(20)]
    sources += [runnable(seed)[0] for seed in range(10)]
    before = [found(source) for source in sources]
    monkeypatch.setattr(explorer, limit, least)
    assert [found(source) for source in sources] == before
