"""The condition of a deallocation is constant.

## What it does

Reports a conditional deallocation (`bufferization.dealloc`) whose condition is a constant: it always frees, or never.

## Why is this bad?

The check costs time at run time and hides from readers, and from other passes, what is going on. Such checks are
left behind when ownership is resolved after deallocations have been inserted.

## Example

```mlir
func.func @known(%input: memref<256xf32>) {
  %true = arith.constant true
  %scratch = memref.alloc() : memref<256xf32>
  memref.copy %input, %scratch : memref<256xf32> to memref<256xf32>
  memref.copy %scratch, %input : memref<256xf32> to memref<256xf32>
  bufferization.dealloc (%scratch : memref<256xf32>) if (%true)
  return
}
```

## Use instead

```mlir
func.func @known(%input: memref<256xf32>) {
  %scratch = memref.alloc() : memref<256xf32>
  memref.copy %input, %scratch : memref<256xf32> to memref<256xf32>
  memref.copy %scratch, %input : memref<256xf32> to memref<256xf32>
  memref.dealloc %scratch : memref<256xf32>
  return
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Applicability, Note, Report, Rule, Severity
from memlane.flow import FunctionFacts, FunctionFlow
from memlane.flow.cfg.ops_by_name import described
from memlane.flow.effects.written_effects import written_frees
from memlane.flow.scalars.expressions import scalar_of

RULE = Rule(
    "redundant-dealloc-check",
    Severity.HINT,
    "the condition of a deallocation is constant",
    unnecessary=True,
    fixes=Applicability.SAFE,
)


def check(facts: FunctionFacts, flow: FunctionFlow) -> Iterator[Report]:
    """Deallocations under constant conditions."""
    graph = flow.graph
    for op in described(graph, lambda model: model.free):
        for free in written_frees(graph, op):
            known = scalar_of(graph, free.condition) if free.condition is not None else None
            if known is None or known[0] != "const" or free.condition is None:
                continue
            says = "always true" if known[1] else "always false: nothing is freed"
            place = free.condition.op.name_span if free.condition.op is not None else free.condition.span
            yield Report(
                f"the condition {free.condition.name} under which {free.value.name} is freed is {says}",
                op.name_span,
                notes=(Note("the condition", place),),
            )
