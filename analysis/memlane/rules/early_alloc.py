"""A buffer is allocated earlier than it is needed.

## What it does

Reports an allocation when operations other than constants, allocations and deallocations come between it and the first
operation of its block that uses the buffer. Off by default: compilers put allocations where they like, and only some of
them cost anything.

## Why is this bad?

The memory is taken before it is needed. Where a large buffer is freed in between, or lives only there, the peak is
higher than necessary.

## Example

```mlir
func.func @two(%input: memref<256xf32>, %output: memref<256xf32>) {
  %early = memref.alloc() : memref<256xf32>
  memref.copy %input, %output : memref<256xf32> to memref<256xf32>
  memref.copy %output, %early : memref<256xf32> to memref<256xf32>
  memref.copy %early, %input : memref<256xf32> to memref<256xf32>
  memref.dealloc %early : memref<256xf32>
  return
}
```

## Use instead

```mlir
func.func @two(%input: memref<256xf32>, %output: memref<256xf32>) {
  memref.copy %input, %output : memref<256xf32> to memref<256xf32>
  %late = memref.alloc() : memref<256xf32>
  memref.copy %output, %late : memref<256xf32> to memref<256xf32>
  memref.copy %late, %input : memref<256xf32> to memref<256xf32>
  memref.dealloc %late : memref<256xf32>
  return
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Applicability, Note, Report, Rule, Severity
from memlane.flow import FunctionFacts, FunctionFlow
from memlane.rules._memory import amount, buffer
from memlane.rules._plain import counted, plain_buffers

RULE = Rule(
    "early-alloc",
    Severity.OFF,
    "a buffer is allocated earlier than it is needed",
    unnecessary=True,
    fixes=Applicability.SAFE,
)


def check(facts: FunctionFacts, flow: FunctionFlow) -> Iterator[Report]:
    """Plain buffers with work between their allocation and their first use."""
    for plain in plain_buffers(facts, flow):
        if not plain.held or plain.filled or plain.made.parent is None:
            continue
        first = plain.held[0]
        count = counted(flow.graph, plain.made.parent.ops[plain.made.index + 1 : first.index])
        if count:
            operations = "1 operation" if count == 1 else f"{count} operations"
            yield Report(
                f"buffer {plain.name}{amount(plain.origin)} is allocated {operations} before its first use",
                plain.made.name_span,
                buffer=buffer(plain.origin),
                notes=(Note("first use; it could be allocated right before this", first.name_span),),
            )
