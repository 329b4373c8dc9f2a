"""A function returns one buffer as two results.

## What it does

Reports a return of the same buffer as more than one result, whole or through views.

## Why is this bad?

Each result is the caller's to free: the buffer is freed twice.

## Example

```mlir
func.func @both() -> (memref<16xf32>, memref<16xf32>) {
  %buffer = memref.alloc() : memref<16xf32>
  return %buffer, %buffer : memref<16xf32>, memref<16xf32>
}
```

## Use instead

```mlir
func.func @both() -> (memref<16xf32>, memref<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %buffer = memref.alloc() : memref<16xf32>
  linalg.fill ins(%zero : f32) outs(%buffer : memref<16xf32>)
  %copy = bufferization.clone %buffer : memref<16xf32> to memref<16xf32>
  return %buffer, %copy : memref<16xf32>, memref<16xf32>
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Certainty, Report, Rule, Severity
from memlane.flow import EventKind, FunctionFacts, FunctionFlow
from memlane.rules._memory import incidents, known_as, report

RULE = Rule("aliased-results", Severity.WARNING, "a function returns one buffer as two results")


def check(facts: FunctionFacts, flow: FunctionFlow) -> Iterator[Report]:
    """Buffers that are returned twice."""
    for incident in incidents(facts, EventKind.ALIASED_RESULTS):
        path = "" if incident.certainty is Certainty.ALWAYS else " on some path"
        yield report(f"the buffer of {known_as(incident)} is returned more than once{path}", incident)
