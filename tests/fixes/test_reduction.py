"""Lowering the peak of a function: which fixes are made, in which order, and which are taken back."""

from __future__ import annotations

import random
from dataclasses import replace
from types import MappingProxyType

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.fixes import fix_all
from memlane.fixes.counting import GRAVE
from memlane.fixes.reduction import Reduction, reduction
from memlane.flow.peak.peak import covers
from memlane.format import known, shown
from memlane.memory_report import assumptions, usage
from tests.effort import some
from tests.fuzz.programs import program
from tests.peak.generated import generate, text

BIG = "memref<16384xf32>"
"""64 KiB: too much for the stack."""


def chain(count: int) -> str:
    """Buffers that are all allocated at the start and freed at the end; each is the copy of the one before."""
    lines = [f"func.func @f(%x: f32, %i: index) -> f32 {{\n  %b0 = memref.alloc() : {BIG}"]
    lines += [f"  %b{n} = memref.alloc() : {BIG}" for n in range(1, count)]
    lines += [f"  memref.store %x, %b0[%i] : {BIG}"]
    lines += [f"  linalg.exp ins(%b{n - 1} : {BIG}) outs(%b{n} : {BIG})" for n in range(1, count)]
    lines += [f"  %r = memref.load %b{count - 1}[%i] : {BIG}"]
    lines += [f"  memref.dealloc %b{n} : {BIG}" for n in range(count)]
    return "\n".join([*lines, "  return %r : f32", "}", ""])


def steps(name: str, count: int) -> str:
    """Buffers that are filled and read one after the other, and all freed at the end."""
    lines = [f"func.func @{name}(%x: f32, %i: index) {{"]
    for n in range(count):
        lines += [f"  %b{n} = memref.alloc() : {BIG}", f"  linalg.fill ins(%x : f32) outs(%b{n} : {BIG})"]
        lines += [f"  %r{n} = memref.load %b{n}[%i] : {BIG}", f'  "x.use"(%r{n}) : (f32) -> ()']
    lines += [f"  memref.dealloc %b{n} : {BIG}" for n in range(count)]
    return "\n".join([*lines, "  return", "}", ""])


def reduced(source: str, *names: str) -> Reduction:
    config = Config()
    return reduction(source, config, assumptions(source, config), names or None)


def said(done: Reduction) -> list[tuple[str, str, str]]:
    return [(one.function, shown(one.before), shown(one.after)) for one in done.functions]


def peaks(source: str) -> dict[str, int | None]:
    config = Config()
    return {one.flow.name: known(one.peak.peak) for one in usage(source, config, assumptions(source, config))}


def test_allocations_are_moved_as_well() -> None:
    """The fixes that are on by default cannot do it: all buffers are allocated before the first is used."""
    source = chain(5)
    done = reduced(source)
    assert said(done) == [("f", "320 KiB", "128 KiB")]
    assert peaks(fix_all(source)) == {"f": 5 * 65536}
    assert peaks(done.source) == {"f": 2 * 65536}
    assert not [one for one in check(done.source).findings if one.severity in GRAVE]


def test_small_buffers_go_to_the_stack_and_that_is_said() -> None:
    (one,) = reduced(chain(3).replace(BIG, "memref<16xf32>")).functions
    assert (shown(one.before), shown(one.after), shown((one.stack,))) == ("192 B", "0 B", "128 B")


def test_only_the_functions_that_are_named_change() -> None:
    source = steps("f", 3) + steps("g", 4)
    done = reduced(source, "g")
    assert said(done) == [("g", "256 KiB", "64 KiB")]
    assert done.source.startswith(steps("f", 3))
    assert said(reduced(source)) == [("f", "192 KiB", "64 KiB"), ("g", "256 KiB", "64 KiB")]


def test_functions_of_one_name_are_lowered_together() -> None:
    source = f"module @a {{\n{steps('f', 3)}}}\nmodule @b {{\n{steps('f', 4)}}}\n"
    assert said(reduced(source)) == [("f", "256 KiB", "64 KiB")]


def test_what_does_not_pay_is_left() -> None:
    """One buffer that is freed late alone takes what it takes."""
    late = steps("f", 1).replace("  return", "  %c = arith.constant 1 : index\n  return")
    for source in (late, chain(1), "func.func @f() {\n  return\n}\n", "", "func.func @f( {"):
        done = reduced(source)
        assert (done.source, done.functions) == (source, ())


def test_a_leak_in_a_loop_has_no_bound_until_it_is_freed() -> None:
    source = """func.func @f(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<16384xf32>
    memref.store %x, %a[%i] : memref<16384xf32>
    %r = memref.load %a[%i] : memref<16384xf32>
    "x.use"(%r) : (f32) -> ()
  }
  return
}
"""
    assert said(reduced(source)) == [("f", "unbounded", "64 KiB")]


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(12), 3))
def test_no_peak_of_any_program_is_raised_and_nothing_new_is_wrong(seed: int) -> None:
    source = program(random.Random(seed), 1 + seed % 4)
    done = reduced(source)
    before, after = peaks(source), peaks(done.source)
    lowered = {one.function for one in done.functions}
    for name, peak in before.items():
        now = after[name]
        assert peak is None or (now is not None and (now < peak if name in lowered else now <= peak))
    wrong = {one.rule.name for one in check(source).findings if one.severity in GRAVE}
    assert {one.rule.name for one in check(done.source).findings if one.severity in GRAVE} <= wrong
    assert reduced(done.source).functions == ()


GOES = ("unused-buffer", "redundant-copy", "duplicate-empty", "stack-promotable")
"""Rules whose fixes do without a buffer on the heap."""


def placed(source: str) -> Reduction:
    """The same by fixes that move allocations and deallocations, and let buffers share memory."""
    config = Config()
    left = replace(config, values=MappingProxyType({**config.values, "ignore": GOES}))
    return reduction(source, left, assumptions(source, config))


def not_below(done: Reduction) -> bool:
    """Whether no function takes less than the ideal of what it was."""
    return all(covers(one.after, one.ideal) for one in done.functions)


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(40), 6))
def test_while_all_buffers_are_kept_no_program_takes_less_than_the_ideal(seed: int) -> None:
    assert not_below(placed(program(random.Random(seed), 1 + seed % 4)))
    assert not_below(placed(text(generate(seed, pairs=seed % 2 == 1))))


@pytest.mark.parametrize("source", [chain(5), steps("f", 3), steps("f", 3) + steps("g", 4)])
def test_the_ideal_is_reached(source: str) -> None:
    for done in (placed(source), reduced(source)):
        assert done.functions
        assert [one.after for one in done.functions] == [one.ideal for one in done.functions]
