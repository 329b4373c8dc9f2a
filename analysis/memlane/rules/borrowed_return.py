"""A function returns a buffer that belongs to its caller.

## What it does

Reports a public function that returns one of its arguments, or a view of one. MLIR's function boundary convention
gives results to the caller and leaves arguments with it: a result must not alias an argument. Private functions may
do otherwise; their callers are checked against what they do.

## Why is this bad?

The caller owns the buffer twice and frees it twice. Upstream's `-ownership-based-buffer-deallocation` copies the
buffer to keep the convention.

## Example

```mlir
func.func @identity(%input: memref<16xf32>) -> memref<16xf32> {
  return %input : memref<16xf32>
}
```

## Use instead

```mlir
func.func @identity(%input: memref<16xf32>) -> memref<16xf32> {
  %result = bufferization.clone %input : memref<16xf32> to memref<16xf32>
  return %result : memref<16xf32>
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Certainty, Report, Rule, Severity
from memlane.flow import EventKind, FunctionFacts, FunctionFlow
from memlane.rules._memory import incidents, known_as, report

RULE = Rule("borrowed-return", Severity.INFORMATION, "a function returns a buffer that belongs to its caller")


def check(facts: FunctionFacts, flow: FunctionFlow) -> Iterator[Report]:
    """Arguments that are returned."""
    if flow.private:
        return
    for incident in incidents(facts, EventKind.BORROWED_RETURN):
        path = "" if incident.certainty is Certainty.ALWAYS else " on some path"
        yield report(f"returns {known_as(incident)}, which{path} belongs to the caller", incident)
