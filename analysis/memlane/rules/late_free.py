"""A buffer is freed later than it could be.

## What it does

Reports a deallocation when operations other than constants and deallocations stand between the buffer's last use
in the same block and the deallocation, on every execution. A use is any operation that names an alias of the
buffer, with the regions nested in it and what it calls. The finding says after which line the deallocation could
stand, and how many bytes are held over how many operations.

## Why is this bad?

The memory is taken while nobody needs it. Where large buffers follow each other, the peak is the sum of all of
them instead of the largest, and programs run out of memory.

## Example

```mlir
func.func @steps(%input: memref<1024xf32>, %output: memref<1024xf32>) {
  %zero = arith.constant 0.0 : f32
  %first = memref.alloc() : memref<1024xf32>
  memref.copy %input, %first : memref<1024xf32> to memref<1024xf32>
  memref.copy %first, %output : memref<1024xf32> to memref<1024xf32>
  linalg.fill ins(%zero : f32) outs(%input : memref<1024xf32>)
  memref.dealloc %first : memref<1024xf32>
  return
}
```

## Use instead

```mlir
func.func @steps(%input: memref<1024xf32>, %output: memref<1024xf32>) {
  %zero = arith.constant 0.0 : f32
  %first = memref.alloc() : memref<1024xf32>
  memref.copy %input, %first : memref<1024xf32> to memref<1024xf32>
  memref.copy %first, %output : memref<1024xf32> to memref<1024xf32>
  memref.dealloc %first : memref<1024xf32>
  linalg.fill ins(%zero : f32) outs(%input : memref<1024xf32>)
  return
}
```
"""

from __future__ import annotations

from memlane.findings import Late, Note, Report, Rule, Severity
from memlane.flow import LateFree
from memlane.rules._memory import amount, buffer, made, where

RULE = Rule("late-free", Severity.WARNING, "a buffer is freed later than it could be")
ABOUT = LateFree


def tell(late: LateFree) -> Report:
    """A deallocation after work that does not need the buffer."""
    return Report(
        message=_message(late),
        span=late.op.name_span,
        buffer=buffer(late.origin),
        notes=(Note(made(late.origin), where(late.origin)), *_last_use(late)),
        late=Late(late.after.name_span if late.after else None, late.operations),
        doubt=late.doubt,
    )


def _message(late: LateFree) -> str:
    count = late.operations
    operations = "1 operation" if count == 1 else f"{count} operations"
    place = "its last use" if late.after is not None else "the start of its block"
    return f"buffer {late.origin.value.name}{amount(late.origin)} is held over {operations} after {place}"


def _last_use(late: LateFree) -> tuple[Note, ...]:
    if late.after is None:
        return (Note("nothing from here on needs it", late.first.name_span),)
    return (Note("last use; it could be freed right after this", late.after.name_span),)
