"""A buffer is never freed.

## What it does

Reports an allocation whose buffer is lost on every path that reaches it: it is not freed, returned or stored elsewhere.
A call that returns a new buffer is treated like an allocation, even if its result has no name. The finding is placed at
the allocation, its notes lead to the place where the function ends. For a buffer that a loop allocates the message says
how much each iteration loses, and how much all of them do if their number is known.

Tensors have no buffer before they are bufferized: `bufferization.alloc_tensor` is never a leak, and neither is the
result of `bufferization.to_buffer` of it; the passes that choose the buffers free them. A buffer that becomes a tensor
(`bufferization.to_tensor`) is still one: a function that returns the tensor returns the buffer, and one that drops the
tensor leaks it.

Memory that is allocated for threads of a GPU (a memory space such as `#gpu.address_space<workgroup>`, or `<private>`;
in a kernel also `3` and `5`, as NVVM and ROCDL number them) ends with these, and is never a leak.

## Why is this bad?

The memory stays taken until the program ends. In a function that is called again and again, or in a loop, the
program runs out of memory.

## Example

```mlir
func.func @scale(%input: memref<256xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %scaled = memref.alloc() : memref<256xf32>
  memref.copy %input, %scaled : memref<256xf32> to memref<256xf32>
  %first = memref.load %scaled[%c0] : memref<256xf32>
  return %first : f32
}
```

## Use instead

```mlir
func.func @scale(%input: memref<256xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %scaled = memref.alloc() : memref<256xf32>
  memref.copy %input, %scaled : memref<256xf32> to memref<256xf32>
  %first = memref.load %scaled[%c0] : memref<256xf32>
  memref.dealloc %scaled : memref<256xf32>
  return %first : f32
}
```
"""

from __future__ import annotations

from memlane.findings import Applicability, Certainty, Note, Report, Rule, Severity
from memlane.flow import EventKind, Incident
from memlane.rules._memory import amount, in_loops, named, report

RULE = Rule("leak", Severity.WARNING, "a buffer is never freed", fixes=Applicability.SAFE, holds=True)
ABOUT = EventKind.LEAK, Certainty.ALWAYS


def tell(incident: Incident) -> Report:
    """An allocation whose buffer is lost on every path."""
    message = f"buffer {named(incident.origin)}{amount(incident.origin)} is never freed{each_time(incident)}"
    return report(message, incident, end(incident))


def each_time(incident: Incident) -> str:
    """Of a leak in a loop how much that is in each iteration, and in all where the number of these is known."""
    repeated = incident.repeated
    if repeated is None or repeated.times in (0, 1):
        return ""
    return f": {'' if repeated.each else 'up to '}{in_loops(incident.origin, repeated.times)}"


def end(incident: Incident) -> tuple[Note, ...]:
    """The note at the end of the path on which the buffer is lost."""
    if incident.cause is None or incident.cause is incident.place:
        return ()
    return (Note(f"{incident.origin.value.name} is lost here", incident.cause.name_span),)
