"""Functions that each call the next with a buffer: checking takes linear work, and so does telling of memory use.

Where each makes a buffer of another size, as many sizes stand in what is told of each function: that is quadratic.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.hostile.growth import PHASES, power

TYPE = "memref<?xf32>"
_MADE = f"  %a = memref.alloc(%n) : {TYPE}\n  memref.copy %x, %a : {TYPE} to {TYPE}\n"
_FREED = f"  memref.dealloc %a : {TYPE}\n"


def _chain(count: int, before: str, passed: str, after: str, last: str) -> str:
    """Such functions, and one that calls the first. What they do before and after their calls, and what the last does
    instead."""
    found: list[str] = []
    for number in range(count):
        call = f"  func.call @f{number + 1}({passed}) : ({TYPE}, index) -> ()\n" if number + 1 < count else last
        found.append(f"func.func private @f{number}(%x: {TYPE}, %n: index) {{\n{before}{call}{after}  return\n}}\n")
    head = f"func.func @main(%n: index, %m: index) {{\n  %x = memref.alloc(%n) : {TYPE}\n"
    end = f"  memref.dealloc %x : {TYPE}\n" if "dealloc %x" not in last else ""
    return "".join(found) + f"{head}  func.call @f0(%x, %n) : ({TYPE}, index) -> ()\n{end}  return\n}}\n"


def lent(count: int) -> str:
    """The last one uses it."""
    return _chain(count, "", "%x, %n", "", f"  memref.copy %x, %x : {TYPE} to {TYPE}\n")


def freed(count: int) -> str:
    """The last one frees it."""
    return _chain(count, "", "%x, %n", "", f"  memref.dealloc %x : {TYPE}\n")


def copied(count: int) -> str:
    """Each passes a copy."""
    return _chain(count, _MADE, "%a, %n", _FREED, "")


def grown(count: int) -> str:
    """Each passes a copy, and a size that it has computed."""
    return _chain(count, _MADE + "  %m = arith.addi %n, %n : index\n", "%a, %m", _FREED, "")


def ring(count: int) -> str:
    """Each passes on what it is passed, the last one to the first; a few are called with a number each."""
    called = "func.call @f{0}(%x, %{1}, %c) : ({2}, index, i1) -> ()\n"
    one = "func.func private @f{0}(%x: {2}, %n: index, %c: i1) {{\n  scf.if %c {{\n    {1}  }}\n  return\n}}\n"
    functions = [one.format(n, called.format((n + 1) % count, "n", TYPE), TYPE) for n in range(count)]
    calls = [f"  %k{n} = arith.constant {n} : index\n  {called.format(n, f'k{n}', TYPE)}" for n in range(6)]
    head = f"func.func @main(%n: index, %c: i1) {{\n  %x = memref.alloc(%n) : {TYPE}\n"
    return "".join(functions) + head + "".join(calls) + f"  memref.dealloc %x : {TYPE}\n  return\n}}\n"


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_growth_of_a_ring() -> None:
    assert power(lambda count: PHASES["check"](ring(count)), 40) < 1.15


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
@pytest.mark.parametrize("phase", ["check", "memory", "fix all"])
@pytest.mark.parametrize("shape", [lent, freed, copied])
def test_growth(shape: Callable[[int], str], phase: str) -> None:
    assert power(lambda count: PHASES[phase](shape(count)), 40) < 1.15


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
def test_growth_of_sizes() -> None:
    assert power(lambda count: PHASES["memory"](grown(count)), 80) < 1.5
