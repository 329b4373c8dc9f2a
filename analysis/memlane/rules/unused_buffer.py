"""A buffer is allocated and freed, and never read.

## What it does

Reports an allocation whose buffer is used by its deallocation only, or by operations that only write to it. Off by
default: most passes that come later remove such buffers.

## Why is this bad?

The allocation, the writes and the deallocation cost time, and the memory is taken for nothing. Passes leave such
buffers behind when they remove the operations that read them.

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

from memlane.findings import Applicability, Note, Report, Rule, Severity
from memlane.flow import FunctionFacts, FunctionFlow
from memlane.rules._memory import amount, buffer
from memlane.rules._plain import for_nothing, plain_buffers

RULE = Rule(
    "unused-buffer",
    Severity.OFF,
    "a buffer is allocated and freed, and never read",
    unnecessary=True,
    fixes=Applicability.SAFE,
)


def check(facts: FunctionFacts, flow: FunctionFlow) -> Iterator[Report]:
    """Plain buffers that are never read."""
    for plain in plain_buffers(facts, flow):
        if for_nothing(flow.graph, plain):
            used = "only written, never read" if plain.users else "never used"
            yield Report(
                f"buffer {plain.name}{amount(plain.origin)} is {used}",
                plain.made.name_span,
                buffer=buffer(plain.origin),
                notes=(Note("freed here", plain.freed.name_span),),
            )
