"""A small heap buffer could live on the stack.

## What it does

Reports an allocation of at most 1 KiB (`limits.stack-promotion`) on the heap when its size is known, it is freed in
the block it is made in, and it does not escape: `memref.alloca` would do, and needs no deallocation. A buffer that is
never read is left to `unused-buffer`. Allocations in loops are not reported, since stack memory is released only when
the function returns, unless an operation around them in the loop releases it (`memref.alloca_scope`). Off by default.

## Why is this bad?

Allocating on the heap costs hundreds of cycles, on the stack almost none.

## Example

```mlir
func.func @small(%input: memref<8xf32>, %output: memref<8xf32>) {
  %scratch = memref.alloc() : memref<8xf32>
  memref.copy %input, %scratch : memref<8xf32> to memref<8xf32>
  memref.copy %scratch, %output : memref<8xf32> to memref<8xf32>
  memref.dealloc %scratch : memref<8xf32>
  return
}
```

## Use instead

```mlir
func.func @small(%input: memref<8xf32>, %output: memref<8xf32>) {
  %scratch = memref.alloca() : memref<8xf32>
  memref.copy %input, %scratch : memref<8xf32> to memref<8xf32>
  memref.copy %scratch, %output : memref<8xf32> to memref<8xf32>
  return
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.config import Config
from memlane.findings import Applicability, Note, Report, Rule, Severity
from memlane.flow import FunctionFacts, FunctionFlow, Program
from memlane.flow.effects.stackrestore import restoring
from memlane.flow.symbolic.memory_space import memory_space
from memlane.rules._memory import amount, buffer
from memlane.rules._plain import for_nothing, plain_buffers, repeated

RULE = Rule("stack-promotable", Severity.OFF, "a small heap buffer could live on the stack", fixes=Applicability.SAFE)


def measure(facts: FunctionFacts, flow: FunctionFlow, program: Program, config: Config) -> Iterator[Report]:
    """Small plain buffers on the heap that no loop repeats. Where the stack goes back to an earlier point it would
    release them."""
    limit: int = config.values["limits.stack-promotion"]
    graph = flow.graph
    if restoring(graph):
        return
    for plain in plain_buffers(facts, flow):
        small = plain.size is not None and plain.size.bytes is not None and plain.size.bytes <= limit
        heap = plain.origin.resource == "heap" and not memory_space(plain.origin.value.type or "")
        if not (small and heap) or plain.filled or for_nothing(graph, plain):
            continue
        if repeated(graph, plain.made) is None:
            yield Report(
                f"buffer {plain.name}{amount(plain.origin)} could live on the stack: it is small and does not leave",
                plain.made.name_span,
                buffer=buffer(plain.origin),
                notes=(Note("freed here", plain.freed.name_span),),
            )
