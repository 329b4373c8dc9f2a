"""Outcomes of a call that differ only in one number are merged, and where there are too many all the
same, what goes wrong with no buffer is told of none."""

from __future__ import annotations

import random

import pytest

from memlane.checking import check
from memlane.flow.dataflow.events import Point
from memlane.flow.dataflow.solver import Reached
from memlane.flow.dataflow.state import State
from memlane.flow.path_insensitive import fallback
from memlane.flow.symbolic.range import Range
from memlane.flow.symbolic.scalar import FALSE, TRUE, Expr
from memlane.flow.typestate import explorer
from memlane.flow.typestate.merge_outcomes import Known, fewer
from memlane.syntax.tree.tree import Value
from tests.hostile.growth import lines_run

TYPE = "memref<4xf32>"


def calls(count: int, ways: int = 8, flags: bool = False, end: str = "") -> str:
    """Calls in a row that each hand a buffer back or replace it, in two ways for each of some numbers or flags."""
    given = ", ".join(f"%c{n}: i1" for n in range(ways)) if flags else "%k: i32"
    names = ", ".join(f"%c{n}" for n in range(ways)) if flags else "%k"
    types = ", ".join(["i1"] * ways) if flags else "i32"
    lines = [f"func.func private @g(%m: {TYPE}, {given}, %j: index) -> {TYPE} {{", "  %zero = arith.constant 0.0 : f32"]
    lines.append(f"  %r = scf.index_switch %j -> {TYPE}")
    for n in range(ways):
        lines.append("  default {" if n == ways - 1 else f"  case {n} {{")
        if not flags:
            lines += [f"    %n = arith.constant {n} : i32", f"    %c{n} = arith.cmpi eq, %k, %n : i32"]
        lines += [f"    %s = scf.if %c{n} -> {TYPE} {{", f"      scf.yield %m : {TYPE}", "    } else {"]
        lines += [f"      memref.dealloc %m : {TYPE}", f"      %x = memref.alloc() : {TYPE}"]
        lines += [f"      linalg.fill ins(%zero : f32) outs(%x : {TYPE})", f"      scf.yield %x : {TYPE}", "    }"]
        lines += [f"    scf.yield %s : {TYPE}", "  }"]
    lines += [f"  return %r : {TYPE}", "}", f"func.func @f({given}) {{", f"  %m0 = memref.alloc() : {TYPE}"]
    for n in range(count):
        lines.append(f'  %j{n} = "test.any"() : () -> index')
        lines.append(f"  %m{n + 1} = call @g(%m{n}, {names}, %j{n}) : ({TYPE}, {types}, index) -> {TYPE}")
    end = end or f"memref.dealloc %m{count} : {TYPE}"
    return "\n".join([*lines, f"  {end}", "  return", "}", ""])


def answering(count: int, ways: int) -> str:
    """Calls in a row that hand a buffer back or replace it, and say so; all are asked for it at the end."""
    lines = [f"func.func private @g(%m: {TYPE}, %k: i32) -> ({TYPE}, i32) {{", "  cf.switch %k : i32, ["]
    lines += ["    default: ^same,", ",\n".join(f"    {n}: ^new{n}" for n in range(ways - 1)), "  ]"]
    for n in range(ways - 1):
        lines += [f"^new{n}:", f"  %s{n} = arith.constant {n} : i32", f"  %x{n} = memref.alloc() : {TYPE}"]
        lines += [f"  return %x{n}, %s{n} : {TYPE}, i32"]
    lines += ["^same:", "  %s = arith.constant -1 : i32", f"  return %m, %s : {TYPE}, i32", "}"]
    given = ", ".join(f"%k{n}: i32" for n in range(count))
    lines += [f"func.func @f({given}) {{", "  %same = arith.constant -1 : i32", f"  %m0 = memref.alloc() : {TYPE}"]
    for n in range(count):
        lines.append(f"  %m{n + 1}, %s{n} = call @g(%m{n}, %k{n}) : ({TYPE}, i32) -> ({TYPE}, i32)")
    for n in range(count):
        lines += [f"  %c{n} = arith.cmpi ne, %s{n}, %same : i32", f"  scf.if %c{n} {{"]
        lines += [f"    memref.dealloc %m{n + 1} : {TYPE}", "  }"]
    return "\n".join([*lines, f"  memref.dealloc %m0 : {TYPE}", "  return", "}", ""])


def chosen(count: int, functions: int) -> str:
    """The same with a function for each number, of which a value says which is called."""
    kind = f"({TYPE}, i32) -> {TYPE}"
    lines: list[str] = []
    for n in range(functions):
        lines += [f"func.func private @g{n}(%m: {TYPE}, %k: i32) -> {TYPE} {{", f"  %n = arith.constant {n} : i32"]
        lines += ["  %c = arith.cmpi eq, %k, %n : i32", f"  %r = scf.if %c -> {TYPE} {{", f"    scf.yield %m : {TYPE}"]
        lines += ["  } else {", f"    memref.dealloc %m : {TYPE}", f"    %x = memref.alloc() : {TYPE}"]
        lines += [f"    scf.yield %x : {TYPE}", "  }", f"  return %r : {TYPE}", "}"]
    flags = ", ".join(f"%c{n}: i1" for n in range(1, functions))
    lines += [
        f"func.func @f({flags}, %k: i32) {{",
        f"  %m0 = memref.alloc() : {TYPE}",
        f"  %s0 = constant @g0 : {kind}",
    ]
    for n in range(1, functions):
        lines.append(f"  %h{n} = constant @g{n} : {kind}")
        lines.append(f"  %s{n} = arith.select %c{n}, %s{n - 1}, %h{n} : {kind}")
    for n in range(count):
        lines.append(f"  %m{n + 1} = call_indirect %s{functions - 1}(%m{n}, %k) : {kind}")
    return "\n".join([*lines, f"  memref.dealloc %m{count} : {TYPE}", "  return", "}", ""])


def rules(source: str) -> set[str]:
    return {finding.rule.name for finding in check(source).findings}


@pytest.mark.slow
@pytest.mark.parametrize("flags", [False, True])
def test_calls_that_go_sixteen_ways(flags: bool, steps: list[Point]) -> None:
    """What each way knows is a power of sixteen for n calls; nothing but the buffer goes on from one to the next."""
    assert rules(calls(8, flags=flags)) == {"argument-free"}
    assert len(steps) < (12_000 if flags else 3_000)


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_they_grow_little_faster_than_their_number() -> None:
    few, many = (lines_run(lambda count=count: check(calls(count))) for count in (16, 32))
    assert many < 2.6 * few


@pytest.mark.slow
def test_each_replaced_buffer_is_told_apart() -> None:
    """Of what is lost in the end each may be it, and the one that is freed twice certainly is."""
    lost = [one.rule.name for one in check(calls(8, end="%nothing = arith.constant 0 : i1")).findings]
    assert sorted({*lost}) == ["argument-free", "leak", "possible-leak"]
    twice = [one.rule.name for one in check(calls(8, end=f"memref.dealloc %m8 : {TYPE}\n" * 2)).findings]
    assert twice.count("double-free") == 1
    assert not {"possible-double-free", "leak", "possible-leak"}.intersection(twice)


def test_calls_of_one_of_sixteen_functions() -> None:
    assert rules(chosen(8, 16)) == {"argument-free"}


@pytest.mark.slow
def test_what_goes_wrong_nowhere_is_not_told_where_there_are_too_many_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    """Followed together, the last of so many buffers leaks, and none is freed twice."""
    monkeypatch.setattr(explorer, "MAX_PAIRS", 200)
    monkeypatch.setattr(fallback, "MAX_STEPS_ALONE", -(10**9))
    found = rules(calls(32, end="%nothing = arith.constant 0 : i1"))
    assert "possible-leak" in found
    assert found <= {"argument-free", "leak", "possible-leak"}


@pytest.mark.slow
def test_ways_of_calls_count_for_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call of eight ways is more than a step. Without that, 35,000 ways are asked for their conditions."""
    monkeypatch.setattr(explorer, "MAX_PAIRS", 100)
    explorers: list[explorer.Explorer] = []
    run = explorer.Explorer.run

    def noted(self: explorer.Explorer, most: int | None = None) -> Reached[Point, State]:
        explorers.append(self)
        return run(self, most)

    monkeypatch.setattr(explorer.Explorer, "run", noted)
    assert rules(answering(3, 8)) == {"late-free"}
    explorers.clear()
    check(answering(12, 8))
    assert sum(one.invoke.tried for one in {*explorers}) < 28_000


def test_uniting_is_exact() -> None:
    """Numbers and flags by chance: what is known of alternatives together is true of what is true of one of them."""
    number, flag = (Value(f"%{name}", at, 2, kind, at) for at, (name, kind) in enumerate([("n", "i32"), ("c", "i1")]))
    numbers: Expr = ("leaf", number)
    flags: Expr = ("leaf", flag)
    chance = random.Random(5)
    for _ in range(2_000):
        known = [*dict.fromkeys(_some(chance, numbers, flags) for _ in range(chance.randint(1, 6)))]
        united = fewer(known)
        assert len(united) <= len(known)
        for value in range(-3, 9):
            for truth in (0, 1):
                holds = {numbers: value, flags: truth}
                assert any(_holds(one, holds) for one in known) == any(_holds(one, holds) for one in united)


def _some(chance: random.Random, number: Expr, flag: Expr) -> Known:
    facts: list[tuple[Expr, Expr | Range]] = []
    if chance.random() < 0.8:
        low = chance.randint(0, 5)
        span: Range | None = Range(low, low + chance.randint(0, 3))
        if chance.random() < 0.5:
            span = Range().without(low)
        assert span is not None
        facts.append((number, span))
    if chance.random() < 0.6:
        facts.append((flag, chance.choice((TRUE, FALSE))))
    return frozenset(facts)


def _holds(known: Known, values: dict[Expr, int]) -> bool:
    return all(fact.has(values[key]) if isinstance(fact, Range) else fact[1] == values[key] for key, fact in known)
