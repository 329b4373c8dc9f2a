"""What ownership-based deallocation prints, before anything else has looked at it: all buffers of a block in one
operation at its end, each under a flag. Late deallocations are found there, too, and repaired."""

from __future__ import annotations

from collections import Counter

import pytest

from memlane.checking import check
from memlane.findings import Severity
from memlane.fixes import fix_all
from tests.upstream.pipeline import MLIR_OPT, run

PROGRAM = """
func.func private @use(memref<64xf32>)
func.func private @work()
func.func @steps(%zero: f32, %out: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<64xf32>)
  func.call @use(%a) : (memref<64xf32>) -> ()
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<64xf32>)
  func.call @use(%b) : (memref<64xf32>) -> ()
  scf.for %i = %c0 to %n step %c1 {
    %c = memref.alloc() : memref<64xf32>
    linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
    memref.copy %c, %out : memref<64xf32> to memref<64xf32>
    linalg.fill ins(%zero : f32) outs(%out : memref<64xf32>)
  }
  return
}
func.func @lent(%zero: f32, %out: memref<64xf32>, %p: i1) {
  %b = scf.if %p -> (memref<64xf32>) {
    %a = memref.alloc() : memref<64xf32>
    linalg.fill ins(%zero : f32) outs(%a : memref<64xf32>)
    scf.yield %a : memref<64xf32>
  } else {
    scf.yield %out : memref<64xf32>
  }
  func.call @use(%b) : (memref<64xf32>) -> ()
  func.call @work() : () -> ()
  return
}
"""
STAGES: tuple[list[str], ...] = ([], ["-canonicalize"], ["-canonicalize", "-buffer-deallocation-simplification"])

pytestmark = pytest.mark.skipif(
    MLIR_OPT is None, reason="needs mlir-opt-22 (Debian package mlir-22-tools), which puts the deallocations in"
)


def late(text: str) -> Counter[tuple[str | None, str]]:
    """What is freed late: the functions, and the kinds of findings."""
    return Counter((one.function, one.rule.name) for one in check(text).findings if one.rule.name == "late-free")


@pytest.mark.parametrize("stage", STAGES, ids=["raw", "canonical", "simplified"])
def test_all_is_found_and_repaired_at_each_stage(stage: list[str]) -> None:
    text = run(PROGRAM, "-ownership-based-buffer-deallocation", *stage)
    assert text is not None
    assert late(text) == {("steps", "late-free"): 3, ("lent", "late-free"): 1}
    fixed = fix_all(text)
    assert all(one.severity is Severity.HINT for one in check(fixed).findings)
    assert run(fixed) is not None
