"""Loops that only use buffers from outside are one operation to placement: the same is late as where they are looked
into."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from memlane.checking import check
from memlane.findings import Finding
from memlane.placement import holders
from memlane.syntax.tree.tree import Block, Op
from tests.bench.inputs import program as benchmark
from tests.effort import some
from tests.fuzz.programs import program as mixed
from tests.paths.programs import program as executable

TYPE = "memref<4xf32>"
USE = f"memref.store %x, %a[%i] : {TYPE}"
LOOP = "scf.for %k{0} = %i to %n step %one {{{1}}}"


def function(body: str, late: str = "%y = arith.addf %x, %x : f32") -> str:
    """A buffer, what is done to it, work that may make its deallocation late, and that."""
    return (
        "func.func private @abort()\n"
        f"func.func @f(%c: i1, %x: f32, %i: index, %n: index, %to: {TYPE}) {{\n"
        "  %zero = arith.constant 0 : index\n  %one = arith.constant 1 : index\n  %true = arith.constant true\n"
        f"  %a = memref.alloc() : {TYPE}\n  {body}\n  {late}\n  memref.dealloc %a : {TYPE}\n  return\n}}\n"
    )


WHOLE = {
    "a use": LOOP.format("", USE),
    "a use behind a branch": LOOP.format("", f"scf.if %c {{ {USE} }}"),
    "loops in loops": LOOP.format("", LOOP.format("1", USE) + "\n" + LOOP.format("2", USE)),
    "rounds that are sure": f"scf.for %k = %zero to %one step %one {{ {USE} }}",
    "in a branch": f"scf.if %c {{ {LOOP.format('', USE)} }} else {{ memref.store %x, %to[%i] : {TYPE} }}",
    "a loop of blocks": f"scf.while : () -> () {{ {USE}\n scf.condition(%c) }} do {{ scf.yield }}",
}
"""What is used in loops that are one operation."""
LOOKED_INTO = {
    "no round": f"scf.for %k = %one to %zero step %one {{ {USE} }}",
    "no round in a loop": LOOP.format("", f"scf.for %l = %one to %zero step %one {{ {USE} }}"),
    "no end": f"scf.while : () -> () {{ {USE}\n scf.condition(%true) }} do {{ scf.yield }}",
    "the end of the program": LOOP.format("", f"{USE}\n scf.if %c {{ func.call @abort() : () -> () }}"),
    "another buffer": LOOP.format("", f"%b = memref.alloc() : {TYPE}\n{USE}\nmemref.dealloc %b : {TYPE}"),
    "in no order": f"scf.parallel (%k) = (%i) to (%n) step (%one) {{ {USE} }}",
    "in no order in a loop": LOOP.format("", f"scf.parallel (%l) = (%i) to (%n) step (%one) {{ {USE} }}"),
    "handed on": (
        f"%z = scf.for %k = %i to %n step %one iter_args(%b = %a) -> ({TYPE}) {{ memref.store %x, %b[%i] : {TYPE}\n"
        f"scf.yield %b : {TYPE} }}"
    ),
    "half of it written": LOOP.format("", f"{USE}\n memref.store %x, "),
}
"""What is used in others."""


def _compared(text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many uses stand in loops that are one operation; the same is found where there are none."""
    outermost: Callable[[holders.AtomicLoops, Block | None], Op | None] = holders.AtomicLoops.outermost
    count = 0

    def counted(self: holders.AtomicLoops, block: Block | None) -> Op | None:
        nonlocal count
        loop = outermost(self, block)
        count += loop is not None
        return loop

    def none(self: holders.AtomicLoops, block: Block | None) -> None:
        return None

    monkeypatch.setattr(holders.AtomicLoops, "outermost", counted)
    found: list[Finding] = [*check(text).findings]
    monkeypatch.setattr(holders.AtomicLoops, "outermost", none)
    assert found == [*check(text).findings], text
    return count


@pytest.mark.parametrize("late", ["%y = arith.addf %x, %x : f32", ""], ids=["late", "not late"])
@pytest.mark.parametrize("body", WHOLE.values(), ids=WHOLE)
def test_loops_that_only_use(body: str, late: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = function(body, late)
    assert _compared(text, monkeypatch) > 0
    assert ("late-free" in {one.rule.name for one in check(text).findings}) is bool(late)


@pytest.mark.parametrize("late", ["%y = arith.addf %x, %x : f32", ""], ids=["late", "not late"])
@pytest.mark.parametrize("body", LOOKED_INTO.values(), ids=LOOKED_INTO)
def test_others(body: str, late: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _compared(function(body, late), monkeypatch) == 0


def test_what_compilers_print(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _compared(benchmark("compiler", 600), monkeypatch) > 20


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(300), 20))
def test_generated_programs(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in (executable(seed)[0], mixed(random.Random(f"loops {seed}"), 6)):
        _compared(text, monkeypatch)


@pytest.mark.slow
def test_measured_programs(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in some(sorted((shared / "cases").rglob("*.mlir")), 40):
        _compared(path.read_text(encoding="utf-8"), monkeypatch)
