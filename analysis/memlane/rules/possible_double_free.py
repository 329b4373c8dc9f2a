"""A buffer is freed twice on some path.

## What it does

Reports a deallocation of a buffer that has already been freed on some of the paths that get there. The notes show
one such path. Also reports one that each of several threads executes (`omp.parallel`), of a buffer from outside.

## Why is this bad?

The program aborts or damages its heap, for some inputs only.

## Example

```mlir
func.func @maybe(%done: i1) {
  %buffer = memref.alloc() : memref<64xf32>
  scf.if %done {
    memref.dealloc %buffer : memref<64xf32>
  }
  memref.dealloc %buffer : memref<64xf32>
  return
}
```

## Use instead

```mlir
func.func @maybe(%done: i1) {
  %buffer = memref.alloc() : memref<64xf32>
  memref.dealloc %buffer : memref<64xf32>
  return
}
```
"""

from __future__ import annotations

from memlane.findings import Applicability, Certainty, Report, Rule, Severity
from memlane.flow import EventKind, Incident
from memlane.rules._memory import report
from memlane.rules.double_free import message, steps

RULE = Rule("possible-double-free", Severity.WARNING, "a buffer is freed twice on some path", fixes=Applicability.SAFE)
ABOUT = EventKind.DOUBLE_FREE, Certainty.SOME


def tell(incident: Incident) -> Report:
    """A deallocation of a buffer that is freed on some paths that get there."""
    return report(f"{message(incident)} on some path", incident, steps(incident))
