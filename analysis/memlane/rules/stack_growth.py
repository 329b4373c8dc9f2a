"""Stack memory is taken in every iteration of a loop.

## What it does

Reports a `memref.alloca` in a loop without a `memref.alloca_scope` between them. `scf.for` is an automatic
allocation scope by its declaration, but its lowering does not restore the stack; `scf.while` and loops made of
blocks are none at all.

## Why is this bad?

Every iteration takes more of the stack until it overflows, for large trip counts only.

## Example

```mlir
func.func @rows(%n: index, %input: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %row = memref.alloca() : memref<1024xf32>
    memref.store %zero, %row[%c0] : memref<1024xf32>
    scf.yield
  }
  return
}
```

## Use instead

```mlir
func.func @rows(%n: index, %input: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    memref.alloca_scope {
      %row = memref.alloca() : memref<1024xf32>
      memref.store %zero, %row[%c0] : memref<1024xf32>
    }
    scf.yield
  }
  return
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Note, Report, Rule, Severity
from memlane.flow import FunctionFacts
from memlane.rules._memory import amount, buffer, where

RULE = Rule("stack-growth", Severity.WARNING, "stack memory is taken in every iteration of a loop")


def check(facts: FunctionFacts) -> Iterator[Report]:
    """Automatic allocations in loops that do not give them back."""
    for growth in facts.stack_growth:
        yield Report(
            message=f"stack allocation in a loop:{amount(growth.origin).removeprefix(' of')} more in each iteration",
            span=where(growth.origin),
            buffer=buffer(growth.origin),
            notes=(Note("the loop", growth.loop.name_span),),
            doubt=facts.doubts.of_loop(growth.loop) or facts.doubts.of_value(growth.origin.value),
        )
