"""A function frees a buffer that belongs to its caller.

## What it does

Reports a deallocation of a function's argument, whole or through a view. MLIR's function boundary convention
leaves arguments with the caller. Where the argument arrives only on some paths, the notes show one. A private function
is reported as information only: its callers are in the same module, and are checked against what it does. So is one
whose address is taken: its callers may be unknown, but they were passed this very function. And so is a deallocation
of a bare pointer, of which the convention says nothing: functions such as `person_free(person *)` are made to free it.
No repair is offered for these.

## Why is this bad?

The caller frees the buffer too, or goes on using it. Upstream's `-ownership-based-buffer-deallocation` and other
passes rely on the convention.

## Example

```mlir
func.func @consume(%input: memref<16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %first = memref.load %input[%c0] : memref<16xf32>
  memref.dealloc %input : memref<16xf32>
  return %first : f32
}
```

## Use instead

```mlir
func.func @consume(%input: memref<16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %first = memref.load %input[%c0] : memref<16xf32>
  return %first : f32
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Applicability, Certainty, Report, Rule, Severity
from memlane.flow import EventKind, FunctionFacts, FunctionFlow
from memlane.flow.interproc.extern_ownership import stays_the_callers
from memlane.rules._memory import incidents, inside, known_as, report

RULE = Rule(
    "argument-free", Severity.WARNING, "a function frees a buffer that belongs to its caller", fixes=Applicability.SAFE
)


def check(facts: FunctionFacts, flow: FunctionFlow) -> Iterator[Report]:
    """Deallocations of arguments."""
    for incident in incidents(facts, EventKind.ARGUMENT_FREE):
        always = incident.certainty is Certainty.ALWAYS
        path = "" if always else " on some paths"
        severity = None
        message = f"frees {known_as(incident)}, which{path} belongs to the caller"
        if not stays_the_callers(flow, incident.origin.value):
            severity = Severity.INFORMATION
            message = f"frees its argument {known_as(incident)}{path}: callers must not use or free it afterwards"
        yield report(message, incident, inside(incident.inside, "the callee frees it here"), severity)
