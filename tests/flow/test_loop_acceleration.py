"""Iterations that change nothing are not counted: as few steps as that takes, and the same findings."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from memlane.checking import check
from memlane.findings import Certainty
from memlane.flow.dataflow.events import Point
from memlane.flow.typestate import explorer
from tests.effort import some

TYPE = "memref<4xf32>"


def nest(depth: int, trips: int, end: str) -> str:
    """Loops of blocks in one another, each of a constant number of rounds, with a buffer in the innermost."""
    lines = [
        "func.func @f(%c: i1, %x: f32) {",
        "  %zero = arith.constant 0 : index",
        "  %one = arith.constant 1 : index",
    ]
    lines += [f"  %n = arith.constant {trips} : index", "  cf.br ^h0(%zero : index)"]
    for n in range(depth):
        lines += [f"^h{n}(%i{n}: index):", f"  %m{n} = arith.cmpi slt, %i{n}, %n : index"]
        lines += [f"  cf.cond_br %m{n}, ^b{n}, ^e{n}", f"^b{n}:"]
        lines += [f"  cf.br ^h{n + 1}(%zero : index)"] if n < depth - 1 else []
    lines += [f"  %b = memref.alloc() : {TYPE}", f"  memref.store %x, %b[%zero] : {TYPE}", "  cf.cond_br %c, ^s, ^t"]
    for label in "st":
        lines += [f"^{label}:", f"  memref.{end} : {TYPE}", f"  cf.br ^l{depth - 1}"]
    for n in reversed(range(depth)):
        lines += [f"^l{n}:", f"  %j{n} = arith.addi %i{n}, %one : index", f"  cf.br ^h{n}(%j{n} : index)", f"^e{n}:"]
        lines += [f"  cf.br ^l{n - 1}"] if n else []
    return "\n".join([*lines, "  return", "}", ""])


def rules(source: str) -> list[str]:
    return [finding.rule.name for finding in check(source).findings]


@pytest.mark.slow
@pytest.mark.parametrize("depth", [3, 6, 10])
def test_a_nest_of_loops_is_followed_to_its_end(depth: int, steps: list[Point]) -> None:
    """Each told apart by their numbers there would be ten to the power of their depth; they were given up."""
    assert rules(nest(depth, 10, "dealloc %b")) == []
    assert 0 < len(steps) < 10_000


@pytest.mark.slow
def test_what_goes_wrong_in_it_is_certain() -> None:
    assert rules(nest(8, 10, "store %x, %b[%zero]")) == ["leak"]


class _Loops:
    """Loops in one another, of blocks or with regions, of few rounds, that hand two buffers on and change them."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._count = 0

    def text(self) -> str:
        lines = ["func.func @f(%c0: i1, %c1: i1, %x: f32, %k: index) {"]
        lines += [f"  %n{n} = arith.constant {n} : index" for n in range(5)]
        lines += [f"  %a = memref.alloc() : {TYPE}", f"  %b = memref.alloc() : {TYPE}"]
        first, second, inner = self._loop("%a", "%b", 3)
        lines += inner
        lines += [f"  memref.dealloc {name} : {TYPE}" for name in (first, second) if self._chance.random() < 0.7]
        return "\n".join([*lines, "  return", "}", ""])

    def _new(self) -> int:
        self._count += 1
        return self._count

    def _loop(self, first: str, second: str, depth: int) -> tuple[str, str, list[str]]:
        """A loop of blocks: what the buffers are behind it, and its lines."""
        n = self._new()
        trips = self._chance.choice(["%n1", "%n2", "%n3", "%n4", "%n4", "%k"])
        pair = f"{TYPE}, {TYPE}"
        lines = [f"  cf.br ^h{n}(%n0, {first}, {second} : index, {pair})"]
        lines += [f"^h{n}(%i{n}: index, %p{n}: {TYPE}, %q{n}: {TYPE}):"]
        lines += [f"  %m{n} = arith.cmpi slt, %i{n}, {trips} : index", f"  cf.cond_br %m{n}, ^b{n}, ^e{n}", f"^b{n}:"]
        one, other = f"%p{n}", f"%q{n}"
        for _ in range(self._chance.randint(1, 3)):
            one, other, inner = self._part(one, other, f"%i{n}", depth)
            lines += inner
        lines += [f"  %j{n} = arith.addi %i{n}, %n1 : index", f"  cf.br ^h{n}(%j{n}, {one}, {other} : index, {pair})"]
        return f"%p{n}", f"%q{n}", [*lines, f"^e{n}:"]

    def _part(self, one: str, other: str, counter: str, depth: int) -> tuple[str, str, list[str]]:
        n = self._new()
        what = self._chance.choice(["loop", "loop", "store", "swap", "replace", "asked", "counted", "own", "lost"])
        if what == "loop":
            return self._loop(one, other, depth - 1) if depth > 1 else (one, other, [])
        if what == "swap":
            return other, one, []
        if what in ("own", "lost", "store"):
            lines = [f"  memref.store %x, {one}[%n0] : {TYPE}"]
            lines += [f"  %l{n} = memref.alloc() : {TYPE}"] if what != "store" else []
            return one, other, [*lines, *([f"  memref.dealloc %l{n} : {TYPE}"] if what == "own" else [])]
        replaced = [f"  %r{n} = memref.alloc() : {TYPE}", f"  memref.dealloc {one} : {TYPE}"]
        if what == "replace":
            return f"%r{n}", other, replaced
        flag, lines = self._chance.choice(["%c0", "%c1"]), list[str]()
        if what == "counted":
            flag, lines = f"%o{n}", [f"  %o{n} = arith.cmpi eq, {counter}, %n{self._chance.randint(0, 3)} : index"]
        lines += [f"  cf.cond_br {flag}, ^t{n}, ^g{n}({one} : {TYPE})", f"^t{n}:", *replaced]
        left = one if self._chance.random() < 0.2 else f"%r{n}"
        lines += [f"  cf.br ^g{n}({left} : {TYPE})", f"^g{n}(%s{n}: {TYPE}):"]
        return f"%s{n}", other, lines


def told(source: str) -> Iterator[tuple[str, int, Certainty]]:
    for one in check(source).findings:
        yield one.rule.name, one.report.span.start, one.report.certainty


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(60), 10))
def test_the_findings_are_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    source = _Loops(seed).text()
    monkeypatch.setattr(explorer, "MIN_STEPS_BEFORE_ACCELERATION", 10**9)
    monkeypatch.setattr(explorer, "MAX_PAIRS", 200_000)
    before = sorted(told(source))
    monkeypatch.setattr(explorer, "MIN_STEPS_BEFORE_ACCELERATION", -(10**9))
    assert sorted(told(source)) == before


TWICE = """
func.func @f(%flag: i1, %other: i1, %r: i1, %zero: index, %first: index, %next: index, %t: i1) {
  %least = arith.constant -2 : index
  %n = arith.constant 4 : index
  %one = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  cf.br ^outer(%zero : index)
^outer(%i: index):
  cf.br ^middle(%zero : index)
^middle(%j: index):
  cf.br ^inner(%first : index)
^inner(%k: index):
  %more = arith.cmpi slt, %k, %n : index
  cf.cond_br %more, ^free, ^after
^free:
  memref.dealloc %b : memref<4xf32>
  %l = arith.addi %k, %one : index
  cf.br ^inner(%l : index)
^after:
  cf.br ^last(%zero : index)
^last(%m: index):
  cf.cond_br %r, ^ask, ^end
^ask:
  %low = arith.cmpi sle, %i, %least : index
  %x = arith.xori %flag, %low : i1
  %y = arith.addi %other, %x : i1
  cf.cond_br %y, ^yes, ^no
^yes:
  cf.cond_br %t, ^end, ^no
^no:
  memref.copy %b, %b : memref<4xf32> to memref<4xf32>
  cf.br ^last(%next : index)
^end:
  cf.br ^middle(%next : index)
}
"""


def test_what_begins_again_settles_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explorer, "MIN_STEPS_BEFORE_ACCELERATION", 0)
    assert {name for name, _, _ in told(TWICE)} == {"use-after-free", "double-free", "uninitialized-read"}
