"""Buffers of a CFG with many violations: findings are those of exploring each in the whole function."""

from __future__ import annotations

import random

import pytest

from memlane.checking import check
from tests.effort import some
from tests.flow.whole_function_slices import compare_with_everywhere, follow_everywhere
from tests.hostile.growth import PHASES, Work, power

TYPE = "memref<4xf32>"
MOST = 1.15


def leaks(count: int) -> str:
    """Blocks in a row, in each of which a buffer is lost."""
    lines = ["func.func @f(%x: f32, %i: index) {", "  cf.br ^b0"]
    for number in range(count):
        lines += [f"^b{number}:", f"  %a{number} = memref.alloc() : {TYPE}"]
        lines += [f"  memref.store %x, %a{number}[%i] : {TYPE}", f"  cf.br ^b{number + 1}"]
    return "\n".join([*lines, f"^b{count}:", "  return", "}", ""])


def loops(count: int) -> str:
    """Loops in a row, lowered to blocks, each of which fills a buffer that is lost."""
    lines = [
        "func.func @f(%x: f32, %n: index) {",
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
    ]
    lines.append("  cf.br ^s0")
    for n in range(count):
        lines += [f"^s{n}:", f"  %a{n} = memref.alloc() : {TYPE}", f"  cf.br ^h{n}(%c0 : index)"]
        lines += [f"^h{n}(%i{n}: index):", f"  %r{n} = arith.cmpi slt, %i{n}, %n : index"]
        lines += [f"  cf.cond_br %r{n}, ^d{n}, ^s{n + 1}", f"^d{n}:", f"  memref.store %x, %a{n}[%i{n}] : {TYPE}"]
        lines += [f"  %j{n} = arith.addi %i{n}, %c1 : index", f"  cf.br ^h{n}(%j{n} : index)"]
    return "\n".join([*lines, f"^s{count}:", "  return", "}", ""])


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_growth_of_leaks() -> None:
    def work(count: int) -> Work:
        return PHASES["check"](leaks(count))

    assert power(work, 80) < MOST


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_growth_of_leaks_between_loops() -> None:
    """Each tells the loops that its path passes, the last ones: all of them were the power 1.4, and before that 2.7."""

    def work(count: int) -> Work:
        return PHASES["check"](loops(count))

    assert power(work, 160) < MOST


def branches(count: int) -> str:
    """Branches in a row, each with a flag of its own, with a buffer before each that is lost."""
    lines = [f"func.func @f({', '.join(f'%c{n}: i1' for n in range(count))}, %x: f32, %i: index) {{", "  cf.br ^b0"]
    for n in range(count):
        store = f"  memref.store %x, %a{n}[%i] : {TYPE}"
        lines += [f"^b{n}:", f"  %a{n} = memref.alloc() : {TYPE}", store]
        lines += [f"  cf.cond_br %c{n}, ^t{n}, ^b{n + 1}", f"^t{n}:", store, f"  cf.br ^b{n + 1}"]
    return "\n".join([*lines, f"^b{count}:", "  return", "}", ""])


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_growth_of_leaks_between_branches() -> None:
    """How long each flag matters is found for all of them at once: one by one was the power 1.6."""

    def work(count: int) -> Work:
        return PHASES["check"](branches(count))

    assert power(work, 160) < MOST


def assertions(count: int) -> str:
    """Assertions in a row, lowered to blocks, with a buffer before each that is lost."""
    lines = ["llvm.func @abort() -> ()"]
    lines += [f"func.func @f({', '.join(f'%c{n}: i1' for n in range(count))}, %x: f32, %i: index) {{", "  cf.br ^b0"]
    for n in range(count):
        lines += [f"^b{n}:", f"  %a{n} = memref.alloc() : {TYPE}", f"  memref.store %x, %a{n}[%i] : {TYPE}"]
        lines += [f"  cf.cond_br %c{n}, ^b{n + 1}, ^f{n}", f"^f{n}:", "  llvm.call @abort() : () -> ()"]
        lines.append("  llvm.unreachable")
    return "\n".join([*lines, f"^b{count}:", "  return", "}", ""])


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_growth_of_leaks_between_assertions() -> None:
    """Where one fails nothing matters any more: with all of those ends for each buffer it was the power 2."""

    def work(count: int) -> Work:
        return PHASES["check"](assertions(count))

    assert power(work, 80) < MOST


def test_of_what_is_surely_lost_no_choices_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    said = [[note.message for note in one.report.notes] for one in check(branches(9)).findings]
    assert said == [[f"%a{n} is lost here"] for n in range(9)]
    follow_everywhere(monkeypatch)
    assert [[note.message for note in one.report.notes] for one in check(branches(9)).findings] == said


class _Blocks:
    """A function of blocks by chance, which ask a few flags and use, free and lose buffers."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._buffers: list[str] = []
        self._count = self._chance.randint(3, 12)

    def text(self) -> str:
        compared = [f"  %q{n} = arith.cmpi {how}, %n, %k{n} : i32" for n, how in enumerate(("eq", "slt", "sge"))]
        constants = [f"  %k{n} = arith.constant {n} : i32" for n in range(3)]
        ends = ["  %z0 = arith.constant 0 : index", "  %z1 = arith.constant 1 : index", "  cf.br ^b0"]
        blocks = [line for number in range(self._count) for line in self._block(number)]
        head = "func.func @f(%x: f32, %i: index, %n: i32, %m: index, %c0: i1, %c1: i1) {"
        last = [f"^b{self._count}:", *self._uses("e", 0.2), "  return", "}"]
        callees = [f"func.func private @g(%a: {TYPE}) {{", "  return", "}", f"func.func private @h(index, {TYPE})", ""]
        return "\n".join([head, *constants, *compared, *ends, *blocks, *last, *callees])

    def _flag(self) -> str:
        return self._chance.choice(("%c0", "%c0", "%c1", "%q0", "%q1", "%q2"))

    def _uses(self, tag: str, often: float) -> list[str]:
        ways = (
            f"  memref.store %x, {{0}}[%i] : {TYPE}",
            f"  %l{tag}_{{1}} = memref.load {{0}}[%i] : {TYPE}",
            f"  memref.dealloc {{0}} : {TYPE}",
            f"  func.call @g({{0}}) : ({TYPE}) -> ()",
            f"  scf.if %c0 {{{{\n    memref.store %x, {{0}}[%i] : {TYPE}\n  }}}}",
            f"  func.call @h(%i, {{0}}) : (index, {TYPE}) -> ()",
        )
        used = [name for name in self._buffers if self._chance.random() < often]
        return [self._chance.choices(ways, (6, 2, 3, 1, 1, 1))[0].format(name, name[1:]) for name in used]

    def _block(self, n: int) -> list[str]:
        lines, after = [f"^b{n}:"], f"^b{n + 1}"
        if self._chance.random() < 0.55:
            lines += [f"  %a{n} = memref.alloc() : {TYPE}", f"  memref.store %x, %a{n}[%i] : {TYPE}"]
            self._buffers.append(f"%a{n}")
        lines += self._uses(f"b{n}", 0.15)
        way = self._chance.randrange(6)
        if way == 0:
            lines.append(f"  cf.br {after}")
        elif way == 1:
            lines += [f"  cf.cond_br {self._flag()}, ^l{n}, {after}", f"^l{n}:", *self._uses(f"l{n}", 0.15)]
            lines.append(
                self._chance.choice((f"  cf.br {after}", "  return", f"  cf.br ^l{n}", f"  cf.br ^b{self._count}"))
            )
        elif way == 2:
            lines += [f"  cf.br ^h{n}(%z0 : index)", f"^h{n}(%j{n}: index):"]
            lines += [f"  %r{n} = arith.cmpi slt, %j{n}, {self._chance.choice(('%m', '%z1'))} : index"]
            lines += [f"  cf.cond_br %r{n}, ^d{n}, {after}", f"^d{n}:"]
            if self._chance.random() < 0.3:
                lines.append(f"  %d{n} = memref.alloc() : {TYPE}")
            lines += [*self._uses(f"d{n}", 0.2), f"  %s{n} = arith.addi %j{n}, %z1 : index"]
            lines.append(f"  cf.br ^h{n}(%s{n} : index)")
        elif way == 3:
            lines.append(f"  cf.cond_br {self._flag()}, {after}, ^b{self._chance.randrange(max(0, n - 2), n + 1)}")
        elif way == 4:
            lines += [f"  cf.cond_br {self._flag()}, ^l{n}, ^r{n}", f"^l{n}:", *self._uses(f"l{n}", 0.15)]
            lines += [f"  cf.br {after}", f"^r{n}:", *self._uses(f"r{n}", 0.15), f"  cf.br {after}"]
        else:
            lines += [f"  cf.cond_br {self._flag()}, ^p{n}(%c0 : i1), ^p{n}({self._flag()} : i1)", f"^p{n}(%v{n}: i1):"]
            lines += [f"  cf.cond_br %v{n}, {after}, ^l{n}", f"^l{n}:", *self._uses(f"l{n}", 0.15), f"  cf.br {after}"]
        return lines


@pytest.mark.slow
@pytest.mark.parametrize("first", some(range(0, 120, 40), 1))
def test_the_same_is_found_as_in_the_whole_function(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [_Blocks(seed).text() for seed in range(first, first + 40)]
    assert compare_with_everywhere(texts, monkeypatch) > 100
