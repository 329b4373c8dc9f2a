"""A buffer is freed with another allocator's operation.

## What it does

Reports a deallocation by an operation whose resource is not that of the buffer's allocation: memory of `gpu.alloc`
freed by `memref.dealloc`, a pool's buffer given to another pool.

## Why is this bad?

The deallocator gets memory that it does not manage: the program aborts, leaks or damages a heap.

## Example

```mlir
func.func @device() {
  %buffer = gpu.alloc () : memref<64xf32>
  memref.dealloc %buffer : memref<64xf32>
  return
}
```

## Use instead

```mlir
func.func @device() {
  %buffer = gpu.alloc () : memref<64xf32>
  gpu.dealloc %buffer : memref<64xf32>
  return
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Applicability, Certainty, Report, Rule, Severity
from memlane.flow import EventKind, FunctionFacts, FunctionFlow, OriginKind
from memlane.rules._memory import incidents, inside, known_as, report

RULE = Rule(
    "mismatched-free", Severity.ERROR, "a buffer is freed with another allocator's operation", fixes=Applicability.SAFE
)


def check(facts: FunctionFacts, flow: FunctionFlow) -> Iterator[Report]:
    """Deallocations by the wrong operation."""
    for incident in incidents(facts, EventKind.MISMATCHED_FREE):
        always = incident.certainty is Certainty.ALWAYS
        path = "" if always else " on some path"
        given = incident.origin.kind is OriginKind.CALL
        resource = "another resource" if given else f"resource {incident.origin.resource!r}"
        yield report(
            f"{known_as(incident)} is memory of {resource}{path}, which this operation does not free",
            incident,
            inside(incident.inside, "the callee frees it here"),
            severity=None if always else Severity.WARNING,
        )
