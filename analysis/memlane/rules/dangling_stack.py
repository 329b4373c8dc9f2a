"""A pointer to stack memory leaves the scope of that memory.

## What it does

Reports a return of memory from `memref.alloca`, and its yield out of a `memref.alloca_scope`, through whatever view.

## Why is this bad?

The memory is released when the scope ends; code that uses the pointer then reads and writes another stack frame.

## Example

```mlir
func.func @scratch() -> memref<16xf32> {
  %stack = memref.alloca() : memref<16xf32>
  return %stack : memref<16xf32>
}
```

## Use instead

```mlir
func.func @scratch() -> memref<16xf32> {
  %buffer = memref.alloc() : memref<16xf32>
  return %buffer : memref<16xf32>
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Certainty, Report, Rule, Severity
from memlane.flow import EventKind, FunctionFacts, FunctionFlow
from memlane.rules._memory import incidents, known_as, report

RULE = Rule("dangling-stack", Severity.ERROR, "a pointer to stack memory leaves the scope of that memory")


def check(facts: FunctionFacts, flow: FunctionFlow) -> Iterator[Report]:
    """Stack memory that leaves its scope."""
    for incident in incidents(facts, EventKind.DANGLING_STACK):
        always = incident.certainty is Certainty.ALWAYS
        path = "" if always else " on some path"
        yield report(
            f"{known_as(incident)} is stack memory{path}, which is released here",
            incident,
            severity=None if always else Severity.WARNING,
        )
