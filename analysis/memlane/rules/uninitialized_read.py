"""A buffer is read before anything was written to it.

## What it does

Reports an operation that reads a new buffer, of the heap or the stack, when nothing can have written to it on any path
that gets there. Operations that accumulate into their output (`linalg.matmul`) read it.

## Why is this bad?

The result depends on what the memory held before.

## Example

```mlir
func.func @sum(%input: memref<4x4xf32>, %output: memref<4x4xf32>) {
  %buffer = memref.alloc() : memref<4x4xf32>
  linalg.matmul ins(%input, %input : memref<4x4xf32>, memref<4x4xf32>) outs(%buffer : memref<4x4xf32>)
  memref.copy %buffer, %output : memref<4x4xf32> to memref<4x4xf32>
  memref.dealloc %buffer : memref<4x4xf32>
  return
}
```

## Use instead

```mlir
func.func @sum(%input: memref<4x4xf32>, %output: memref<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %buffer = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%zero : f32) outs(%buffer : memref<4x4xf32>)
  linalg.matmul ins(%input, %input : memref<4x4xf32>, memref<4x4xf32>) outs(%buffer : memref<4x4xf32>)
  memref.copy %buffer, %output : memref<4x4xf32> to memref<4x4xf32>
  memref.dealloc %buffer : memref<4x4xf32>
  return
}
```
"""

from __future__ import annotations

from memlane.findings import Certainty, Report, Rule, Severity
from memlane.flow import EventKind, Incident
from memlane.rules._memory import known_as, report

RULE = Rule("uninitialized-read", Severity.WARNING, "a buffer is read before anything was written to it")
ABOUT = EventKind.UNINITIALIZED_READ, Certainty.ALWAYS


def tell(incident: Incident) -> Report:
    """A read of a new buffer without contents."""
    return report(f"{known_as(incident)} is read, and nothing has been written to its buffer", incident)
