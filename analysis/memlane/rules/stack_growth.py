"""Stack memory is taken in every iteration of a loop.

## What it does

Reports a `memref.alloca` in a loop without a `memref.alloca_scope` between them. `scf.for` is an automatic
allocation scope by its declaration, but its lowering does not restore the stack; `scf.while` and loops made of
blocks are not scopes at all. Where the trip counts are known, the total must reach `limits.stack-growth` (1 KiB);
allocations of 0 bytes never count.

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

from memlane.config import Config
from memlane.findings import Note, Report, Rule, Severity
from memlane.flow import FunctionFacts, FunctionFlow, Program
from memlane.rules._memory import buffer, grows, in_loops, where

RULE = Rule("stack-growth", Severity.WARNING, "stack memory is taken in every iteration of a loop")


def measure(facts: FunctionFacts, flow: FunctionFlow, program: Program, config: Config) -> Iterator[Report]:
    """Automatic allocations in loops that do not give them back, as far as they come to what the limit says."""
    for growth in facts.stack_growth:
        if grows(growth.origin, growth.iterations, config):
            yield Report(
                message=f"stack allocation in a loop: {in_loops(growth.origin, growth.iterations)}",
                span=where(growth.origin),
                buffer=buffer(growth.origin),
                notes=(Note("the loop", growth.loop.name_span),),
                doubt=facts.doubts.of_loop(growth.loop) or facts.doubts.of_value(growth.origin.value),
            )
