"""A deallocation could be sunk into the branches before it.

## What it does

Reports a deallocation that is late (see `late-free`) on some executions and not on others: the buffer is used in some
branches before it and not in others, where it could be freed at the start. `limits.late-operations` and
`limits.late-bytes` hold here, too. Off by default.

## Why is this bad?

On the paths that do not use the buffer its memory is taken while other work is done. Where that work allocates, the
peak is higher than necessary.

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

from memlane.config import Config
from memlane.findings import Applicability, Certainty, Note, Report, Rule, Severity
from memlane.flow import FunctionFacts, FunctionFlow, Program
from memlane.placement.frees import LateDealloc, sinkable_deallocs
from memlane.rules._memory import amount, buffer, is_late

RULE = Rule(
    "sinkable-free",
    Severity.OFF,
    "a deallocation could be sunk into the branches before it",
    fixes=Applicability.SAFE,
    holds=True,
)


def measure(facts: FunctionFacts, flow: FunctionFlow, program: Program, config: Config) -> Iterator[Report]:
    """Deallocations after work in some branches that do not need the buffer."""
    for late in sinkable_deallocs(program, flow, facts):
        if is_late(late.origin, late.operations, config):
            yield _report(late)


def _report(late: LateDealloc) -> Report:
    starts = [Note("nothing from here on needs it", spot.first.name_span) for spot in late.spots if spot.after is None]
    return Report(
        f"buffer {late.origin.value.name}{amount(late.origin)} is not needed in a branch before this, "
        "and could be freed at its start",
        late.op.name_span,
        certainty=Certainty.SOME,
        buffer=buffer(late.origin),
        notes=tuple(starts),
        doubt=late.doubt,
    )
