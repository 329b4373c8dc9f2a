"""A buffer is used after it was freed.

## What it does

Reports an operation that reads or writes a buffer, through any of its names, when it has been freed on every
path that gets there. Returning a freed buffer counts as a use, and so does passing it to a function that uses it.
Stack memory is freed where the stack goes back to a point that was saved before it was made
(`llvm.intr.stackrestore`).

## Why is this bad?

The memory may belong to something else by then: the program reads garbage, overwrites other data or crashes.

## Example

```mlir
func.func @sum(%input: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %copy = memref.alloc() : memref<8xf32>
  memref.copy %input, %copy : memref<8xf32> to memref<8xf32>
  %row = memref.subview %copy[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  memref.dealloc %copy : memref<8xf32>
  %first = memref.load %row[%c0] : memref<4xf32, strided<[1]>>
  return %first : f32
}
```

## Use instead

```mlir
func.func @sum(%input: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %copy = memref.alloc() : memref<8xf32>
  memref.copy %input, %copy : memref<8xf32> to memref<8xf32>
  %row = memref.subview %copy[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %first = memref.load %row[%c0] : memref<4xf32, strided<[1]>>
  memref.dealloc %copy : memref<8xf32>
  return %first : f32
}
```
"""

from __future__ import annotations

from memlane.findings import Applicability, Certainty, Note, Report, Rule, Severity
from memlane.flow import EventKind, Incident
from memlane.rules._memory import freed, inside, known_as, report, within_call

RULE = Rule("use-after-free", Severity.ERROR, "a buffer is used after it was freed", fixes=Applicability.SAFE)
ABOUT = EventKind.USE_AFTER_FREE, Certainty.ALWAYS


def tell(incident: Incident) -> Report:
    """A use of a buffer that is freed on every path that gets there."""
    return report(message(incident), incident, steps(incident))


def message(incident: Incident) -> str:
    """What happens, in words."""
    if within_call(incident):
        return f"the call uses the buffer of {known_as(incident)} after it has freed it"
    if is_restored(incident):
        return f"{known_as(incident)} is used after the stack was restored: its memory is released"
    return f"{known_as(incident)} is used after its buffer was freed"


def is_restored(incident: Incident) -> bool:
    """Whether the memory is of the stack, which nothing but going back to an earlier point releases."""
    return incident.origin.resource == "stack"


def steps(incident: Incident) -> tuple[Note, ...]:
    """The notes at the deallocation and, for a call, at the use in the callee."""
    words = "released here" if is_restored(incident) else "freed here"
    return (*freed(incident.cause, words), *inside(incident.inside, "the callee uses it here"))
