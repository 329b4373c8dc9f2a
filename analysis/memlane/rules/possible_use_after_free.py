"""A buffer is used after it was freed on some path.

## What it does

Reports an operation that reads or writes a buffer when it has been freed on some of the paths that get there, when it
is freed asynchronously and this was not waited for (a token, an `omp.task`), or where the finding depends on an unknown
operation. The notes show one such path.

## Why is this bad?

The program reads or overwrites memory that is not its own, for some inputs only.

## Example

```mlir
func.func @maybe(%early: i1, %input: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %copy = memref.alloc() : memref<8xf32>
  memref.copy %input, %copy : memref<8xf32> to memref<8xf32>
  scf.if %early {
    memref.dealloc %copy : memref<8xf32>
  }
  %first = memref.load %copy[%c0] : memref<8xf32>
  scf.if %early {
  } else {
    memref.dealloc %copy : memref<8xf32>
  }
  return %first : f32
}
```

## Use instead

```mlir
func.func @maybe(%early: i1, %input: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %copy = memref.alloc() : memref<8xf32>
  memref.copy %input, %copy : memref<8xf32> to memref<8xf32>
  %first = memref.load %copy[%c0] : memref<8xf32>
  memref.dealloc %copy : memref<8xf32>
  return %first : f32
}
```
"""

from __future__ import annotations

from memlane.findings import Applicability, Certainty, Report, Rule, Severity
from memlane.flow import EventKind, Incident
from memlane.rules._memory import report
from memlane.rules.use_after_free import message, steps

RULE = Rule(
    "possible-use-after-free",
    Severity.WARNING,
    "a buffer is used after it was freed on some path",
    fixes=Applicability.SAFE,
)
ABOUT = EventKind.USE_AFTER_FREE, Certainty.SOME


def tell(incident: Incident) -> Report:
    """A use of a buffer that is freed on some paths that get there."""
    return report(f"{message(incident)} on some path", incident, steps(incident))
