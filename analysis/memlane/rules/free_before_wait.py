"""A buffer is freed while asynchronous work on it is in progress.

## What it does

Reports a deallocation before the completion of an asynchronous operation that reads or writes the buffer: a token
of `gpu` or `async`, a copy group of `nvgpu`, a tag of `memref.dma_start` that nothing has waited for; an `omp.task`
without clauses that take operands and without a later `omp.taskwait`, barrier or end of a region that waits for it.
Tasks in functions with calls or unknown operations are not reported: these may wait.

## Why is this bad?

The operation goes on reading or writing memory that may belong to something else by then. It is a race: the
program works most of the time.

## Example

```mlir
func.func @copy(%source: memref<16xf32>, %device: memref<16xf32, 1>) {
  %t0 = gpu.wait async
  %staging = memref.alloc() : memref<16xf32>
  memref.copy %source, %staging : memref<16xf32> to memref<16xf32>
  %t1 = gpu.memcpy async [%t0] %device, %staging : memref<16xf32, 1>, memref<16xf32>
  memref.dealloc %staging : memref<16xf32>
  gpu.wait [%t1]
  return
}
```

## Use instead

```mlir
func.func @copy(%source: memref<16xf32>, %device: memref<16xf32, 1>) {
  %t0 = gpu.wait async
  %staging = memref.alloc() : memref<16xf32>
  memref.copy %source, %staging : memref<16xf32> to memref<16xf32>
  %t1 = gpu.memcpy async [%t0] %device, %staging : memref<16xf32, 1>, memref<16xf32>
  gpu.wait [%t1]
  memref.dealloc %staging : memref<16xf32>
  return
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.dialects import is_token
from memlane.findings import Applicability, Certainty, Note, Report, Rule, Severity
from memlane.flow import EventKind, FunctionFacts, FunctionFlow
from memlane.rules._memory import incidents, known_as, report
from memlane.syntax.tree.tree import Op

RULE = Rule(
    "free-before-wait",
    Severity.ERROR,
    "a buffer is freed while asynchronous work on it is in progress",
    fixes=Applicability.SAFE,
)


def check(facts: FunctionFacts, flow: FunctionFlow) -> Iterator[Report]:
    """Deallocations before the completion of what uses the buffer."""
    for incident in incidents(facts, EventKind.FREE_BEFORE_WAIT):
        if incident.cause is not None and _in_order(flow, incident.cause):
            continue
        always = incident.certainty is Certainty.ALWAYS
        path = "" if always else " on some path"
        started = () if incident.cause is None else (Note("started here, not waited for", incident.cause.name_span),)
        yield report(
            f"the buffer of {known_as(incident)} is freed{path} before the work on it has completed",
            incident,
            started,
            None if always and not _guessed(flow, incident.cause) else Severity.WARNING,
        )


def _guessed(flow: FunctionFlow, started: Op | None) -> bool:
    """Whether work is that of a function that gives a token, which may stand for other work."""
    model = flow.graph.model(started) if started is not None else None
    return model is not None and model.call is not None and model.token is None


def _in_order(flow: FunctionFlow, started: Op) -> bool:
    """Whether an op without a model returns a token that may express an order of operations only."""
    known = flow.graph.model(started) is not None
    return not known and not any(is_token(result.type) for result in started.results)
