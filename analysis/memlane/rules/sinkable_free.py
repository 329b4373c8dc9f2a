"""A deallocation could be sunk into the branches before it.

## What it does

Reports a deallocation right after an operation with several branches when the buffer is used in some of them and not
in others, and one of the others allocates or calls: there the buffer could be freed at the start. Off by default.

## Why is this bad?

On the ways that do not use the buffer its memory is taken while other memory is allocated, so that the peak there is
higher than it has to be.

## Example

```mlir
func.func @branches(%choice: i1, %input: memref<256xf32>) {
  %first = memref.alloc() : memref<256xf32>
  memref.copy %input, %first : memref<256xf32> to memref<256xf32>
  scf.if %choice {
    memref.copy %first, %input : memref<256xf32> to memref<256xf32>
  } else {
    %second = memref.alloc() : memref<512xf32>
    %half = memref.subview %second[0] [256] [1] : memref<512xf32> to memref<256xf32, strided<[1]>>
    memref.copy %input, %half : memref<256xf32> to memref<256xf32, strided<[1]>>
    memref.dealloc %second : memref<512xf32>
  }
  memref.dealloc %first : memref<256xf32>
  return
}
```

## Use instead

```mlir
func.func @branches(%choice: i1, %input: memref<256xf32>) {
  %first = memref.alloc() : memref<256xf32>
  memref.copy %input, %first : memref<256xf32> to memref<256xf32>
  scf.if %choice {
    memref.copy %first, %input : memref<256xf32> to memref<256xf32>
    memref.dealloc %first : memref<256xf32>
  } else {
    memref.dealloc %first : memref<256xf32>
    %second = memref.alloc() : memref<512xf32>
    %half = memref.subview %second[0] [256] [1] : memref<512xf32> to memref<256xf32, strided<[1]>>
    memref.copy %input, %half : memref<256xf32> to memref<256xf32, strided<[1]>>
    memref.dealloc %second : memref<512xf32>
  }
  return
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Note, Report, Rule, Severity
from memlane.flow import FunctionFacts
from memlane.flow.control.graph import Graph
from memlane.rules._memory import amount, buffer
from memlane.rules._plain import Plain, plain_buffers
from memlane.syntax.tree.tree import Op, Region

RULE = Rule("sinkable-free", Severity.OFF, "a deallocation could be sunk into the branches before it")


def check(facts: FunctionFacts) -> Iterator[Report]:
    """Plain buffers whose last use is in some of the branches of the op before their deallocation."""
    graph = facts.flow.graph
    for plain in plain_buffers(facts):
        branches = plain.held[-1] if plain.held else None
        if branches is None or branches in plain.users or not _chooses(graph, branches):
            continue
        for region in branches.regions:
            taking = _taking(graph, region)
            if taking is not None and not _used(plain, region):
                yield Report(
                    f"buffer {plain.name}{amount(plain.origin)} is not needed in a branch before this, "
                    "and could be freed at its start",
                    plain.freed.name_span,
                    buffer=buffer(plain.origin),
                    notes=(Note("memory is taken here, beside it", taking.name_span),),
                )
                break


def _chooses(graph: Graph, op: Op) -> bool:
    """Whether exactly one of several regions runs, once."""
    return (
        len(op.regions) > 1
        and graph.model(op) is not None
        and all(region.blocks and not graph.may_repeat(region) for region in op.regions)
    )


def _taking(graph: Graph, region: Region) -> Op | None:
    """An op of a region that allocates or calls."""
    inside = (op for block in region.blocks for top in block.ops for op in top.walk())
    return next((op for op in inside if graph.effects(op).allocs or graph.call(op) is not None), None)


def _used(plain: Plain, region: Region) -> bool:
    for user in plain.users:
        block = user.parent
        while block is not None:
            if block.region is region:
                return True
            block = block.region.op.parent
    return False
