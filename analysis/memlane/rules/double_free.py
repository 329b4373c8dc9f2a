"""A buffer is freed twice.

## What it does

Reports a deallocation of a buffer that has already been freed on every path that gets there, whatever the name
or view it is freed by. A call of a function that frees its argument counts; so does a call that passes one buffer
twice to a function that frees both arguments. Of tensors (`bufferization.dealloc_tensor`) and what other dialects
free (`fir.freemem`, `ttg.local_dealloc`, `ttnn.deallocate`, ...) it is found within a function.

## Why is this bad?

The allocator's records are damaged: the program aborts (`free(): double free detected`) or, worse, goes on.

## Example

```mlir
func.func @twice() {
  %buffer = memref.alloc() : memref<8x8xf32>
  %flat = memref.collapse_shape %buffer [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  memref.dealloc %buffer : memref<8x8xf32>
  memref.dealloc %flat : memref<64xf32>
  return
}
```

## Use instead

```mlir
func.func @twice() {
  %buffer = memref.alloc() : memref<8x8xf32>
  %flat = memref.collapse_shape %buffer [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  memref.dealloc %buffer : memref<8x8xf32>
  return
}
```
"""

from __future__ import annotations

from memlane.findings import Applicability, Certainty, Note, Report, Rule, Severity
from memlane.flow import EventKind, Incident
from memlane.rules._memory import freed, inside, known_as, report, within_call

RULE = Rule("double-free", Severity.ERROR, "a buffer is freed twice", fixes=Applicability.SAFE)
ABOUT = EventKind.DOUBLE_FREE, Certainty.ALWAYS


def tell(incident: Incident) -> Report:
    """A deallocation of a buffer that is freed on every path that gets there."""
    return report(message(incident), incident, steps(incident))


def message(incident: Incident) -> str:
    """What happens, in words."""
    if within_call(incident):
        return f"the call frees the buffer of {known_as(incident)} twice"
    return f"the buffer of {known_as(incident)} is freed a second time"


def steps(incident: Incident) -> tuple[Note, ...]:
    """The notes at the first deallocation and, for a call, at the second one in the callee."""
    if within_call(incident):
        return inside(incident.inside, "the callee frees it a second time here")
    first = "freed here first" if incident.cause is not incident.place else "freed here in an earlier iteration"
    return (*freed(incident.cause, first), *inside(incident.inside, "the callee frees it here"))
