"""Questions about callees: no more than can differ, and an answer in any case."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from memlane.checking import check
from memlane.flow.dataflow.events import Point
from memlane.flow.interproc import context_abstraction
from tests.flow.test_state_liveness import TYPE, taken
from tests.fuzz.programs import program
from tests.paths.programs import program as runnable


def numbered(count: int, decides: bool) -> str:
    """So many calls with so many numbers of a function of so many operations; a number decides, or it does not."""
    lines = [
        f"func.func private @g(%a: {TYPE}, %n: i32, %c: i1, %i: index, %x: f32) {{",
        "  %k = arith.constant 7 : i32",
    ]
    lines.append(f"  %is = arith.cmpi eq, {'%n' if decides else '%k'}, %k : i32")
    for _ in range(count):
        lines += ["  scf.if %c {", f"    memref.store %x, %a[%i] : {TYPE}", "  }"]
    lines += ["  scf.if %is {", f"    memref.dealloc %a : {TYPE}", "  }", "  return", "}"]
    lines += ["func.func @f(%c: i1, %i: index, %x: f32) {", f"  %a = memref.alloc() : {TYPE}"]
    for number in range(count):
        lines.append(f"  %k{number} = arith.constant {number} : i32")
        lines.append(f"  call @g(%a, %k{number}, %c, %i, %x) : ({TYPE}, i32, i1, index, f32) -> ()")
    return "\n".join([*lines, "  return", "}", ""])


def called(count: int, body: Callable[[int], str], gives: bool) -> str:
    """A call of a function of so many conditions, which may do something to a buffer at each."""
    flags = ", ".join(f"%c{n}: i1" for n in range(count))
    passed = ", ".join(f"%c{n}" for n in range(count))
    types = ", ".join([TYPE, *["i1"] * count])
    result = f"-> {TYPE} " if gives else ""
    inner = "".join(body(number) for number in range(count))
    lines = [
        f"func.func private @g(%a: {TYPE}, {flags}) {result}{{",
        f"  %s0 = memref.alloc() : {TYPE}" if gives else "",
    ]
    lines += [inner, f"  return %s{count} : {TYPE}" if gives else "  return", "}", f"func.func @f({flags}) {{"]
    lines += [f"  %a = memref.alloc() : {TYPE}", f"  {'%r = ' if gives else ''}call @g(%a, {passed}) : ({types}) -> "]
    lines[-1] += TYPE if gives else "()"
    return "\n".join([*lines, "  return", "}", ""])


def frees(number: int) -> str:
    return f"  scf.if %c{number} {{\n    memref.dealloc %a : {TYPE}\n  }}\n"


def gives(number: int) -> str:
    then, other = f"    scf.yield %a : {TYPE}", f"    scf.yield %s{number} : {TYPE}"
    return f"  %s{number + 1} = scf.if %c{number} -> ({TYPE}) {{\n{then}\n  }} else {{\n{other}\n  }}\n"


def rules(source: str) -> set[str]:
    return {finding.rule.name for finding in check(source).findings}


@pytest.mark.slow
def test_numbers_that_decide_nothing_are_not_asked_about(steps: list[Point]) -> None:
    once = taken(numbered(50, decides=False), steps)
    assert taken(numbered(100, decides=False), steps) < 2.2 * once < 10_000


@pytest.mark.slow
def test_very_many_numbers_are_asked_about_at_once(steps: list[Point], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context_abstraction, "MAX_FOLLOWED_OPS", 1_000)
    once = taken(numbered(50, decides=True), steps)
    assert taken(numbered(100, decides=True), steps) < 2.2 * once < 10_000
    assert rules(numbered(50, decides=True)) == {"argument-free", "possible-use-after-free"}


@pytest.mark.slow
def test_a_call_has_an_answer_in_any_case() -> None:
    """A function with ten conditions may free its argument in ten places, on a thousand ways."""
    assert rules(called(10, frees, False)) == {"argument-free", "possible-double-free", "possible-leak"}
    assert rules(called(10, gives, True)) == {"leak", "possible-leak"}


def found(source: str) -> list[object]:
    return [(finding.rule.name, finding.report) for finding in check(source).findings]


@pytest.mark.slow
def test_the_findings_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether numbers that decide nothing are asked about or not."""
    sources = [program(random.Random(seed), 1 + seed % 5) for seed in range(20)]
    sources += [runnable(seed)[0] for seed in range(10)]
    before = [found(source) for source in sources]

    def passed(
        self: object, caller: object, callee: object, numbers: context_abstraction.Numbers
    ) -> context_abstraction.Numbers:
        return numbers

    monkeypatch.setattr(context_abstraction.Asking, "numbers", passed)
    assert [found(source) for source in sources] == before
