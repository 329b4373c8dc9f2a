"""A buffer is freed later than it could be.

## What it does

Reports a deallocation when, on every execution that reaches it, at least one operation other than constants,
deallocations, and branches and loops with nothing in them runs between the place where its buffer dies and the
deallocation, and the buffer can be freed there instead, exactly once on each execution. A buffer dies behind the last
operation that names an alias of it (with the regions nested in it, what it calls, and work that is not waited for
yet); where only some branches use it, at the start of the others, or on the edge between two blocks. The finding says
where the deallocation could stand, and how many bytes are held over how many operations: the fewest on any path. A
deallocation under a flag, as ownership-based deallocation prints them (`bufferization.dealloc (%b : ...) if (%own)`),
is late where it could stand further up with its flag. `limits.late-operations` and `limits.late-bytes` say from where
on it is reported; a buffer of 0 bytes never is.

## Why is this bad?

The memory is taken while nothing uses it. Where large buffers follow each other, the peak is the sum of all of
them instead of the largest, and programs run out of memory.

## Example

```mlir
func.func @steps(%input: memref<1024xf32>, %output: memref<1024xf32>) {
  %zero = arith.constant 0.0 : f32
  %first = memref.alloc() : memref<1024xf32>
  memref.copy %input, %first : memref<1024xf32> to memref<1024xf32>
  memref.copy %first, %output : memref<1024xf32> to memref<1024xf32>
  linalg.fill ins(%zero : f32) outs(%input : memref<1024xf32>)
  memref.dealloc %first : memref<1024xf32>
  return
}
```

## Use instead

```mlir
func.func @steps(%input: memref<1024xf32>, %output: memref<1024xf32>) {
  %zero = arith.constant 0.0 : f32
  %first = memref.alloc() : memref<1024xf32>
  memref.copy %input, %first : memref<1024xf32> to memref<1024xf32>
  memref.copy %first, %output : memref<1024xf32> to memref<1024xf32>
  memref.dealloc %first : memref<1024xf32>
  linalg.fill ins(%zero : f32) outs(%input : memref<1024xf32>)
  return
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.config import Config
from memlane.findings import Applicability, Late, Note, Report, Rule, Severity
from memlane.flow import FunctionFacts, FunctionFlow, Program
from memlane.placement.frees import FreeSpot, LateDealloc, late_deallocs
from memlane.rules._memory import amount, buffer, is_late, made, where

RULE = Rule(
    "late-free", Severity.WARNING, "a buffer is freed later than it could be", fixes=Applicability.SAFE, holds=True
)


def measure(facts: FunctionFacts, flow: FunctionFlow, program: Program, config: Config) -> Iterator[Report]:
    """Deallocations after work that does not need the buffer, as late and of as large ones as the limits say."""
    for late in late_deallocs(program, flow, facts):
        if is_late(late.origin, late.operations, config):
            yield _report(late)


def _report(late: LateDealloc) -> Report:
    return Report(
        message=_message(late),
        span=late.op.name_span,
        buffer=buffer(late.origin),
        notes=(Note(made(late.origin), where(late.origin)), *map(_note, late.spots)),
        late=Late(
            late.after.name_span if late.after else None,
            late.operations,
            tuple([spot.first.name_span for spot in late.spots]),
        ),
        doubt=late.doubt,
    )


def _message(late: LateDealloc) -> str:
    count = late.operations
    operations = "1 operation" if count == 1 else f"{count} operations"
    return f"buffer {late.origin.value.name}{amount(late.origin)} is held over {operations} after {_place(late)}"


def _place(late: LateDealloc) -> str:
    if len(late.spots) != 1:
        return "its last use on each path"
    if late.after is not None:
        return "its last use"
    if late.spots[0].first.parent is late.op.parent:
        return "the start of its block"
    return "the start of a block that does not need it"


def _note(spot: FreeSpot) -> Note:
    if spot.after is None:
        return Note("nothing from here on needs it", spot.first.name_span)
    return Note("last use; it could be freed right after this", spot.after.name_span)
