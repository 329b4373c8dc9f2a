"""A buffer is not freed on some path.

## What it does

Reports an allocation whose buffer is lost on some paths and not on others: one branch frees it and the other
forgets to, or a loop overwrites the buffer that it carries. The notes show one path on which it is lost.

Also reports a bare pointer that is never freed if the function that returns it has no body: the declaration does not
say whether its caller owns it. The same holds for every result of a function without a body that takes memory: the
result may be a part of that memory. And it holds for an argument of such a function whose result is freed or returned.
Functions that pass their arguments to such a function and return or free what it gives are treated as it is.
[Describe the function](../guides/dialect.md) if it allocates, or if it does not.

An operation that is not described may free what it takes: a buffer that one has taken, and nothing else frees, is
possibly leaked. So may a function that is known by its value only.

Where a function starts asynchronous work on a buffer and never waits for it, it is unknown when the buffer may be
freed: no fix is offered.

## Why is this bad?

The program leaks for some inputs only, which tests may never see.

## Example

```mlir
func.func @maybe(%debug: i1, %input: memref<64xf32>) {
  %copy = memref.alloc() : memref<64xf32>
  memref.copy %input, %copy : memref<64xf32> to memref<64xf32>
  scf.if %debug {
    memref.dealloc %copy : memref<64xf32>
  }
  return
}
```

## Use instead

```mlir
func.func @maybe(%debug: i1, %input: memref<64xf32>) {
  %copy = memref.alloc() : memref<64xf32>
  memref.copy %input, %copy : memref<64xf32> to memref<64xf32>
  memref.dealloc %copy : memref<64xf32>
  return
}
```
"""

from __future__ import annotations

from memlane.findings import Applicability, Certainty, Report, Rule, Severity
from memlane.flow import EventKind, Incident
from memlane.flow.typestate.cluster_result import Unsettled
from memlane.rules._memory import amount, report
from memlane.rules.leak import each_time, end

RULE = Rule(
    "possible-leak", Severity.WARNING, "a buffer is not freed on some path", fixes=Applicability.SAFE, holds=True
)
ABOUT = EventKind.LEAK, Certainty.SOME

_LOST = {
    Unsettled.OWNER: "is never freed, if it is the caller's",
    Unsettled.OTHER_NAME: "is never freed, unless a function that it was passed to has returned it",
    Unsettled.BACKGROUND: "is never freed, and nothing here waits for the work started on it",
    Unsettled.UNDESCRIBED: "is never freed, unless an operation or function that is not described frees it",
}


def tell(incident: Incident) -> Report:
    """An allocation whose buffer is lost on some paths."""
    lost = _LOST[incident.unsettled] if incident.unsettled is not None else "is not freed on some path"
    buffer = f"buffer {incident.origin.value.name}{amount(incident.origin)}"
    return report(f"{buffer} {lost}{each_time(incident)}", incident, end(incident))
