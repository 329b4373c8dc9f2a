"""Rounds of loops that do nothing but lend a buffer to a function are as good as one: their numbers are not told apart
in what callers are told."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.flow.dataflow.events import Point

TYPE = "memref<4xf32>"


def nest(levels: int, look: str, passed: str = "") -> str:
    """A function that lends its argument in loops in one another, each of a number of rounds that is not known."""
    scratch = "memref<?xindex>"
    lines = [f"func.func private @look(%m: {TYPE}, %n: index) {{", "  %zero = arith.constant 0 : index", look]
    lines += ["  return", "}", f"func.func private @nest(%m: {TYPE}, %bounds: {scratch}) {{"]
    lines += ["  %zero = arith.constant 0 : index", "  %one = arith.constant 1 : index"]
    for n in range(levels):
        lines.append(f"  %at{n} = arith.constant {n} : index")
        lines.append(f"  %n{n} = memref.load %bounds[%at{n}] : {scratch}")
    for n in range(levels):
        lines.append(f"  scf.for %i{n} = %zero to %n{n} step %one {{")
    lines.append(f"    func.call @look(%m, {passed or '%zero'}) : ({TYPE}, index) -> ()")
    lines += ["  }"] * levels + ["  return", "}"]
    lines += [f"func.func @f(%bounds: {scratch}) {{", f"  %m = memref.alloc() : {TYPE}"]
    lines.append(f"  func.call @nest(%m, %bounds) : ({TYPE}, {scratch}) -> ()")
    return "\n".join([*lines, f"  memref.dealloc %m : {TYPE}", "  return", "}", ""])


USES = f"""  %f = arith.constant 0.0 : f32
  memref.store %f, %m[%n] : {TYPE}"""
FREES = f"""  %c = arith.cmpi eq, %n, %zero : index
  scf.if %c {{
    memref.dealloc %m : {TYPE}
  }}"""


def rules(source: str) -> list[str]:
    return sorted(finding.rule.name for finding in check(source).findings)


def test_nests_of_loops_that_lend_a_buffer(steps: list[Point]) -> None:
    """Three rounds and more of each of six loops are four to the power of six."""
    assert rules(nest(6, USES)) == []
    assert len(steps) < 500


@pytest.mark.parametrize("passed", ["%zero", "%i0", "%i1"])
def test_a_function_that_frees_is_followed_round_by_round(passed: str) -> None:
    assert {"possible-double-free"} <= set(rules(nest(2, FREES, passed)))
