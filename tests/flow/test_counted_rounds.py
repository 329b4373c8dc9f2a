"""Loops that free a buffer in the rounds in which conditions on their counter hold, beside what they do as they run.

Each program is one loop, in one of several forms, with bounds that are numbers or an argument. What its rounds do is
computed for some arguments: nothing that comes about is missed, and nothing is said to be certain that does not.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

import pytest

from memlane.checking import check
from memlane.findings import Certainty
from tests.effort import some

_ARGUMENTS = range(14)
_WRAP = 1 << 64
_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda one, other: one == other,
    "ne": lambda one, other: one != other,
    "slt": lambda one, other: one < other,
    "sle": lambda one, other: one <= other,
    "sgt": lambda one, other: one > other,
    "sge": lambda one, other: one >= other,
    "ult": lambda one, other: one % _WRAP < other % _WRAP,
    "uge": lambda one, other: one % _WRAP >= other % _WRAP,
}


class Condition(NamedTuple):
    """That the counter and a number compare so with a number, or with an argument (`%n`, `%k`, `%n1`: one less)."""

    predicate: str
    added: int
    name: str
    number: int

    def holds(self, counter: int, n: int, k: int) -> bool:
        """Whether it holds in a round."""
        other = {"%n": n, "%k": k, "%n1": n - 1}.get(self.name, self.number)
        return _COMPARE[self.predicate](counter + self.added, other)


class Loop(NamedTuple):
    """A loop that frees its buffer where all of some conditions hold, or any. `end`: a number; None: `%n`."""

    form: str
    begin: int
    end: int | None
    step: int
    conditions: tuple[Condition, ...]
    together: bool

    def frees(self, n: int, k: int) -> int:
        """In how many rounds the buffer is freed."""
        end = n if self.end is None else self.end
        down = self.form == "down"
        rounds = range(end, self.begin, -self.step) if down else range(self.begin, end, self.step)
        of = all if self.together else any
        return sum(of(one.holds(counter, n, k) for one in self.conditions) for counter in rounds)

    def arguments(self) -> tuple[range, range]:
        """The values of `%n` and `%k` that are tried: one of an argument on which nothing depends."""
        asked = {one.name for one in self.conditions}
        bounded = self.end is None or not asked.isdisjoint(("%n", "%n1"))
        return _ARGUMENTS if bounded else _ARGUMENTS[:1], _ARGUMENTS if "%k" in asked else _ARGUMENTS[:1]

    def text(self) -> str:
        """The program."""
        asked = list(self._asked())
        flag = "%e0" if len(self.conditions) == 1 else "%e"
        if len(self.conditions) > 1:
            asked.append(f"%e = arith.{'andi' if self.together else 'ori'} %e0, %e1 : i1")
        body = [*asked, f"scf.if {flag} {{", "memref.dealloc %m : memref<4xf32>", "}"]
        numbers = {
            1,
            self.begin,
            self.step,
            self.end or 0,
            *(n for one in self.conditions for n in (one.added, one.number)),
        }
        head = [f"{_name(number)} = arith.constant {number} : index" for number in sorted(numbers)]
        head += ["%n1 = arith.subi %n, %c1 : index", "%m = memref.alloc() : memref<4xf32>"]
        lines = [*head, *self._around(body), "return"]
        return "func.func @f(%n: index, %k: index) {\n" + "".join(f"  {line}\n" for line in lines) + "}\n"

    def _asked(self) -> Iterator[str]:
        for at, one in enumerate(self.conditions):
            if one.added:
                yield f"%a{at} = arith.addi %i, {_name(one.added)} : index"
            counter, other = f"%a{at}" if one.added else "%i", one.name or _name(one.number)
            yield f"%e{at} = arith.cmpi {one.predicate}, {counter}, {other} : index"

    def _around(self, body: list[str]) -> list[str]:
        begin, step, end = _name(self.begin), _name(self.step), "%n" if self.end is None else _name(self.end)
        if self.form == "for":
            return [f"scf.for %i = {begin} to {end} step {step} {{", *body, "}"]
        if self.form == "affine":
            bounds = f"{self.begin} to {'%n' if self.end is None else self.end} step {self.step}"
            return [f"affine.for %i = {bounds} {{", *body, "}"]
        if self.form == "while":
            head = [f"%r = scf.while (%x = {begin}) : (index) -> index {{", f"%go = arith.cmpi slt, %x, {end} : index"]
            head += ["scf.condition(%go) %x : index", "} do {", "^bb0(%i: index):"]
            return [*head, *body, f"%j = arith.addi %i, {step} : index", "scf.yield %j : index", "}"]
        first, more, on = (
            (end, f"sgt, %i, {begin}", "subi") if self.form == "down" else (begin, f"slt, %i, {end}", "addi")
        )
        head = [f"cf.br ^head({first} : index)", "^head(%i: index):", f"%go = arith.cmpi {more} : index"]
        head += ["cf.cond_br %go, ^body, ^end", "^body:"]
        return [*head, *body, f"%j = arith.{on} %i, {step} : index", "cf.br ^head(%j : index)", "^end:"]


def _name(number: int) -> str:
    return f"%c{number}" if number >= 0 else f"%m{-number}"


def loop_of(seed: int) -> Loop:
    """A loop by a number."""
    choose = random.Random(seed).choice
    begin, end = choose([0, 0, 0, 1, 2]), choose([3, 5, 25, 40, 90, 700])
    unknown = choose([False, True])
    names = ["", "", "%k", *(["%n", "%n1"] if unknown else [])]
    numbers = [0, 1, 2, 3, end - 1, end, end // 2]
    conditions = tuple(
        Condition(choose([*_COMPARE]), choose([0, 0, 0, 1, -1]), choose(names), choose(numbers))
        for _ in range(choose([1, 1, 2]))
    )
    form = choose(["for", "affine", "while", "blocks", "down"])
    return Loop(form, begin, None if unknown else end, choose([1, 1, 1, 2, 3]), conditions, choose([False, True]))


def agrees(loop: Loop) -> None:
    """Compare what is found with what comes about. Arguments beyond those that are tried may do more."""
    counts = {loop.frees(n, k) for n, k in product(*loop.arguments())}
    found = {(one.rule.name.removeprefix("possible-"), one.report.certainty) for one in check(loop.text()).findings}
    rules = {rule for rule, _ in found}
    assert "leak" in rules or 0 not in counts, loop.text()
    assert "double-free" in rules or max(counts) < 2, loop.text()
    assert ("leak", Certainty.ALWAYS) not in found or counts == {0}, loop.text()
    known = loop.end is not None and not any(one.name for one in loop.conditions)
    if known and loop.step == 1:  # one run, and nothing is said that does not come about
        assert "leak" not in rules or counts == {0}, loop.text()
        assert "double-free" not in rules or max(counts) > 1, loop.text()


@pytest.mark.parametrize("first", some(range(0, 120, 40), 1))
def test_what_rounds_do_is_found(first: int) -> None:
    for seed in range(first, first + 40):
        agrees(loop_of(seed))


@pytest.mark.slow
@pytest.mark.parametrize("first", some(range(1_000, 3_000, 100), 2))
def test_what_rounds_do_is_found_in_many_loops(first: int) -> None:
    for seed in range(first, first + 100):
        agrees(loop_of(seed))
