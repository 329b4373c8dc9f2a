"""A loop allocates and frees the same buffer in every iteration.

## What it does

Reports an allocation in a loop whose buffer is freed in the same iteration, when its size does not change from one
iteration to the next. Allocation and deallocation could stand before and after the loop, together. Loops that run
their iterations in parallel are left alone: each iteration needs a buffer of its own there. Off by default: the
buffer then lives through the whole loop, also where it runs zero times.

## Why is this bad?

An allocation costs hundreds of cycles, and in a hot loop it is often the most expensive operation. Hoist both ends:
moving only the allocation, as `buffer-loop-hoisting` does, frees one buffer many times.

## Example

```mlir
func.func @rows(%input: memref<16x256xf32>, %zero: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c1 {
    %row = memref.alloc() : memref<256xf32>
    linalg.fill ins(%zero : f32) outs(%row : memref<256xf32>)
    memref.dealloc %row : memref<256xf32>
  }
  return
}
```

## Use instead

```mlir
func.func @rows(%input: memref<16x256xf32>, %zero: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %row = memref.alloc() : memref<256xf32>
  scf.for %i = %c0 to %c16 step %c1 {
    linalg.fill ins(%zero : f32) outs(%row : memref<256xf32>)
  }
  memref.dealloc %row : memref<256xf32>
  return
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Applicability, Note, Report, Rule, Severity
from memlane.flow import FunctionFacts, FunctionFlow
from memlane.flow.cfg.graph import Graph
from memlane.flow.scalars.trip_count import trip_of
from memlane.rules._memory import amount, buffer
from memlane.rules._plain import Plain, defined_inside, plain_buffers
from memlane.syntax.tree.tree import Op

RULE = Rule(
    "loop-invariant-alloc",
    Severity.OFF,
    "a loop allocates and frees the same buffer in every iteration",
    fixes=Applicability.SAFE,
)


def check(facts: FunctionFacts, flow: FunctionFlow) -> Iterator[Report]:
    """Plain buffers in loops whose size is known before the loop."""
    graph = flow.graph
    for plain in plain_buffers(facts, flow):
        loop = _loop(graph, plain)
        if (
            loop is None
            or plain.filled
            or any(u.value is None or defined_inside(u.value, loop) for u in plain.made.operands)
        ):
            continue
        times = _times(graph, loop)
        plural = "" if times == 2 else "s"
        saved = f"; {times - 1} allocation{plural} could be saved" if times is not None and times > 1 else ""
        yield Report(
            f"buffer {plain.name}{amount(plain.origin)} is allocated and freed in every iteration{saved}",
            plain.made.name_span,
            buffer=buffer(plain.origin),
            notes=(
                Note("it could be allocated before this loop, and freed after it", loop.name_span),
                Note("freed here", plain.freed.name_span),
            ),
        )


def _loop(graph: Graph, plain: Plain) -> Op | None:
    """The loop that repeats the block of the buffer, one iteration after the other."""
    block = plain.made.parent
    if block is None or block.region.op is graph.function or len(block.region.blocks) != 1:
        return None
    loop = block.region.op
    model = graph.model(loop)
    if model is None or model.parallel or model.function is not None or loop.parent is None:
        return None
    return loop if trip_of(graph, loop) is not None and graph.may_repeat(block.region) else None


def _times(graph: Graph, loop: Op) -> int | None:
    trip = trip_of(graph, loop)
    return trip.times if trip is not None else None
