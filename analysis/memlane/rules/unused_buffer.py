"""A buffer is allocated and freed, and never used.

## What it does

Reports an allocation whose buffer nobody names but the deallocation. Off by default: most passes that come later
remove such pairs.

## Why is this bad?

The allocation and the deallocation cost time, and the memory is taken for nothing. Passes leave such pairs behind
when they remove the operations between.

## Example

```mlir
func.func @nothing() {
  %scratch = memref.alloc() : memref<256xf32>
  memref.dealloc %scratch : memref<256xf32>
  return
}
```

## Use instead

```mlir
func.func @nothing() {
  return
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Note, Report, Rule, Severity
from memlane.flow import FunctionFacts
from memlane.rules._memory import amount, buffer
from memlane.rules._plain import plain_buffers

RULE = Rule("unused-buffer", Severity.OFF, "a buffer is allocated and freed, and never used", unnecessary=True)


def check(facts: FunctionFacts) -> Iterator[Report]:
    """Plain buffers without a use."""
    for plain in plain_buffers(facts):
        if not plain.users:
            yield Report(
                f"buffer {plain.name}{amount(plain.origin)} is never used",
                plain.made.name_span,
                buffer=buffer(plain.origin),
                notes=(Note("freed here", plain.freed.name_span),),
            )
