"""Buffers of one site that become indistinguishable are merged; the result does not depend on the order of sets."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """func.func @f(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %all = memref.alloca() : memref<8xmemref<4xf32>>
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.store %a, %all[%i] : memref<8xmemref<4xf32>>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.load %all[%i] : memref<8xmemref<4xf32>>
    memref.store %x, %a[%c0] : memref<4xf32>
    memref.dealloc %a : memref<4xf32>
  }
  return
}
"""


@pytest.mark.slow
def test_the_same_is_told_in_every_process() -> None:
    command = [sys.executable, "-m", "memlane", "stats", "--output-format", "json", "-"]
    told = {
        subprocess.run(
            command,
            input=PROGRAM,
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
        ).stdout
        for seed in range(8)
    }
    assert len(told) == 1
