"""A check before the client has said anything: what every check needs is loaded while the editor still starts.

These are modules, shapes of statements and the models of common dialects, some 50 ms that the first document that is
opened need not wait for.
"""

from __future__ import annotations

from memlane.config import Config
from memlane.snapshot import File

SAMPLE = """\
func.func private @g(%a: memref<?xf32>) -> memref<?xf32>
func.func @f(%n: index, %flag: i1) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloc(%n) : memref<?xf32>
  %b = scf.if %flag -> memref<?xf32> {
    %c = func.call @g(%a) : (memref<?xf32>) -> memref<?xf32>
    scf.yield %c : memref<?xf32>
  } else {
    scf.yield %a : memref<?xf32>
  }
  memref.store %one, %b[%zero] : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%b : memref<?xf32>)
  memref.dealloc %a : memref<?xf32>
  return
}
"""


def warm_up() -> None:
    """Check a program that nobody sees."""
    _ = File("memlane:sample", None, (SAMPLE,), Config()).parts
