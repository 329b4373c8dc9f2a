"""Buffers that few blocks use are explored there only; findings are those of all blocks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.flow.whole_function_slices import compare_with_everywhere
from tests.hostile.growth import PHASES, power
from tests.hostile.shapes import TYPE, stages

MOST = 1.15
"""See `tests/hostile/test_growth.py`."""
BUFFER = f"""
  %a = memref.alloc() : {TYPE}
  cf.cond_br %d, ^use, ^not
^use:
  memref.store %x, %a[%i] : {TYPE}
  %y = arith.addf %x, %x : f32
  memref.dealloc %a : {TYPE}
  cf.br ^end
^not:
  memref.dealloc %a : {TYPE}
  cf.br ^end
"""
ASKED_BEFORE = f"""
  cf.cond_br %d, ^then, ^then
^then:{BUFFER}^end:
"""
NEVER = f"""
  cf.cond_br %d, ^then, ^end
^then:
  cf.cond_br %d, ^end, ^never
^never:
  %a = memref.alloc() : {TYPE}
  memref.store %x, %a[%i] : {TYPE}
  %y = arith.addf %x, %x : f32
  memref.dealloc %a : {TYPE}
  cf.br ^end
^end:
"""
AROUND = f"""
  cf.br ^then
^then:{BUFFER}^end:
  %again = memref.load %flags[%i] : memref<4xi1>
  cf.cond_br %again, ^then, ^out
^out:
"""
TAKES_MORE = f"""
  cf.cond_br %d, ^then, ^other
^other:
  cf.br ^then
^then:
  %a = memref.alloc() : {TYPE}
  %b = memref.alloc() : {TYPE}
  memref.store %x, %b[%i] : {TYPE}
  memref.dealloc %b : {TYPE}
  cf.cond_br %d, ^use, ^not
^use:
  memref.store %x, %a[%i] : {TYPE}
  cf.br ^end
^not:
  cf.br ^end
^end:
  %y = arith.addf %x, %x : f32
  memref.dealloc %a : {TYPE}
"""
LEFT = f"""
  cf.br ^then
^then:
  %l = memref.alloc() : {TYPE}
  cf.cond_br %c, ^free, ^keep
^free:
  memref.dealloc %l : {TYPE}
  cf.br ^end
^keep:
  cf.br ^end
^end:
"""
LABELS = """
  %n = arith.constant 8 : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %none = llvm.icmp "eq" %p, %null : !llvm.ptr
  cf.cond_br %none, ^end, ^made
^made:
  %q = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %no = llvm.icmp "eq" %q, %null : !llvm.ptr
  cf.cond_br %no, ^last, ^both
^both:
  llvm.store %n, %q : i64, !llvm.ptr
  %y = arith.addf %x, %x : f32
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  cf.br ^last
^last:
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  cf.br ^end
^end:
"""
"""To the label at which one buffer has been freed control also comes from before it is made."""
DECLARED = "llvm.func @malloc(i64) -> !llvm.ptr\nllvm.func @free(!llvm.ptr)\n"


def _program(body: str) -> str:
    return (
        f"{DECLARED}func.func @f(%c: i1, %d: i1, %x: f32, %i: index, %flags: memref<4xi1>) {{\n"
        f"  cf.cond_br %c, ^more, ^begin\n^more:\n  cf.br ^begin\n^begin:{body}  return\n}}\n"
    )


@pytest.mark.parametrize("body", [ASKED_BEFORE, NEVER, AROUND, TAKES_MORE, LEFT, LABELS])
def test_the_same_is_found(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compare_with_everywhere([_program(body)], monkeypatch)


def freed_on_both(count: int) -> str:
    """Stages that each make a buffer and free it on both of their ways."""
    freed = f"  memref.dealloc %a{{0}} : {TYPE}\n  cf.br ^b{{1}}\n"
    one = (
        f"^b{{0}}:\n  %a{{0}} = memref.alloc() : {TYPE}\n  cf.cond_br %c, ^l{{0}}, ^r{{0}}\n"
        f"^l{{0}}:\n  memref.store %x, %a{{0}}[%i] : {TYPE}\n{freed}^r{{0}}:\n{freed}"
    )
    body = "".join(one.format(number, number + 1) for number in range(count))
    return f"func.func @f(%c: i1, %x: f32, %i: index) {{\n  cf.br ^b0\n{body}^b{count}:\n  return\n}}\n"


@pytest.mark.slow
@pytest.mark.usefixtures("unlearned")
@pytest.mark.parametrize(("phase", "make"), [("check", freed_on_both), ("fixes", stages)])
def test_stages_take_linear_work(phase: str, make: Callable[[int], str]) -> None:
    assert power(lambda size: PHASES[phase](make(size)), 30) < MOST
