"""Upstream's known miscompiles (LLVM 22): what its passes print is what a rule finds.

Each case is an input of ours, the passes that spoil it, and the rules that have to see it in their output. Cases
that make upstream crash or print IR that does not verify leave no text to look at.
"""

from __future__ import annotations

import pytest

from memlane.checking import check
from tests.upstream.pipeline import MLIR_OPT, run

DEALLOCATE = "--buffer-deallocation-pipeline"
EARLY = "--optimize-allocation-liveness"

SELECTED_VIEW = """
func.func @selected_view(%c: i1, %c16: index) -> memref<4xf32> {
  %arena = memref.alloc() : memref<64xi8>
  %view = memref.view %arena[%c16][] : memref<64xi8> to memref<4xf32>
  %other = memref.alloc() : memref<4xf32>
  %chosen = scf.if %c -> (memref<4xf32>) {
    scf.yield %view : memref<4xf32>
  } else {
    scf.yield %other : memref<4xf32>
  }
  return %chosen : memref<4xf32>
}
"""

TRANSPOSED = """
func.func @transposed(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x8xf32>)
  %t = memref.transpose %a (i, j) -> (j, i) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
  %b = memref.alloc() : memref<8x4xf32>
  memref.copy %t, %b : memref<8x4xf32, strided<[1, 8]>> to memref<8x4xf32>
  %r = memref.load %b[%c0, %c0] : memref<8x4xf32>
  return %r : f32
}
"""

BEHIND_A_TENSOR = """
func.func @behind_a_tensor(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  %t = bufferization.to_tensor %a restrict : memref<8xf32> to tensor<8xf32>
  %r = tensor.extract %t[%c0] : tensor<8xf32>
  return %r : f32
}
"""

COPIED_BY_DMA = """
func.func @copied_by_dma(%source: memref<16xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %tag = memref.alloc() : memref<1xi32>
  %fast = memref.alloc() : memref<16xf32>
  memref.dma_start %source[%c0], %fast[%c0], %c16, %tag[%c0] : memref<16xf32>, memref<16xf32>, memref<1xi32>
  memref.dma_wait %tag[%c0], %c16 : memref<1xi32>
  memref.dealloc %fast : memref<16xf32>
  memref.dealloc %tag : memref<1xi32>
  return
}
"""

IN_A_LOOP = """
func.func @in_a_loop(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
    memref.dealloc %a : memref<16xf32>
  }
  return
}
"""

RETURNED_TRANSPOSE = """
func.func @returned_transpose(%x: f32) -> memref<4x4xf32, strided<[1, 4]>> {
  %a = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  %t = memref.transpose %a (i, j) -> (j, i) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
  return %t : memref<4x4xf32, strided<[1, 4]>>
}
"""

KEPT_IN_A_BUFFER = """
func.func @keep(%c: i1, %box: memref<1xmemref<4xf32>>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  scf.if %c {
    %a = memref.alloc() : memref<4xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
    memref.store %a, %box[%c0] : memref<1xmemref<4xf32>>
  }
  %back = memref.load %box[%c0] : memref<1xmemref<4xf32>>
  %r = memref.load %back[%c0] : memref<4xf32>
  return %r : f32
}
"""

STACK_IN_A_LOOP = """
func.func @stack_in_a_loop(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  }
  return
}
"""

CASES = [
    pytest.param(SELECTED_VIEW, [DEALLOCATE], {"possible-use-after-free"}, id="M1"),
    pytest.param(TRANSPOSED, [DEALLOCATE, EARLY], {"use-after-free"}, id="M2"),
    pytest.param(BEHIND_A_TENSOR, [DEALLOCATE, EARLY], {"use-after-free"}, id="M3"),
    pytest.param(COPIED_BY_DMA, [EARLY], {"free-before-wait"}, id="M4"),
    pytest.param(IN_A_LOOP, ["--buffer-loop-hoisting"], {"double-free"}, id="M8"),
    pytest.param(RETURNED_TRANSPOSE, ["--promote-buffers-to-stack"], {"dangling-stack"}, id="M9"),
    pytest.param(KEPT_IN_A_BUFFER, [DEALLOCATE], {"possible-use-after-free"}, id="M10"),
    pytest.param(STACK_IN_A_LOOP, ["--promote-buffers-to-stack"], {"stack-growth"}, id="M11"),
]


@pytest.mark.slow
@pytest.mark.skipif(MLIR_OPT is None, reason="needs mlir-opt-22 (Debian package mlir-22-tools)")
@pytest.mark.parametrize(("source", "passes", "rules"), CASES)
def test_defect_is_found(source: str, passes: list[str], rules: set[str]) -> None:
    output = run(source, *passes)
    assert output is not None
    assert rules <= {finding.rule.name for finding in check(output).findings}, output


@pytest.mark.parametrize(("source", "rules"), [case.values[::2] for case in CASES if case.id not in ("M8", "M11")])
def test_the_input_is_not_to_blame(source: str, rules: set[str]) -> None:
    assert not rules & {finding.rule.name for finding in check(source).findings}
