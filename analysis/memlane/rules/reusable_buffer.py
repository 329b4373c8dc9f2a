"""A buffer could take over the memory of one that is no longer needed.

## What it does

Reports an allocation when a buffer of the very same type, allocated in the same block, has been used for the last
time before it: the later buffer could be the earlier one. Only sizes that are known are compared, and each earlier
buffer is offered once. Off by default: it is advice for those who count allocations.

## Why is this bad?

Each allocation costs time, and a second buffer beside the first costs memory as long as both live.

## Example

```mlir
func.func @steps(%input: memref<256xf32>, %output: memref<256xf32>) {
  %first = memref.alloc() : memref<256xf32>
  memref.copy %input, %first : memref<256xf32> to memref<256xf32>
  memref.copy %first, %output : memref<256xf32> to memref<256xf32>
  memref.dealloc %first : memref<256xf32>
  %second = memref.alloc() : memref<256xf32>
  memref.copy %output, %second : memref<256xf32> to memref<256xf32>
  memref.copy %second, %input : memref<256xf32> to memref<256xf32>
  memref.dealloc %second : memref<256xf32>
  return
}
```

## Use instead

```mlir
func.func @steps(%input: memref<256xf32>, %output: memref<256xf32>) {
  %both = memref.alloc() : memref<256xf32>
  memref.copy %input, %both : memref<256xf32> to memref<256xf32>
  memref.copy %both, %output : memref<256xf32> to memref<256xf32>
  memref.copy %output, %both : memref<256xf32> to memref<256xf32>
  memref.copy %both, %input : memref<256xf32> to memref<256xf32>
  memref.dealloc %both : memref<256xf32>
  return
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Applicability, Note, Report, Rule, Severity
from memlane.flow import FunctionFacts, FunctionFlow
from memlane.rules._memory import amount, buffer
from memlane.rules._plain import Plain, plain_buffers
from memlane.syntax.tree.tree import Block

RULE = Rule(
    "reusable-buffer",
    Severity.OFF,
    "a buffer could take over the memory of one that is no longer needed",
    fixes=Applicability.SAFE,
)


def check(facts: FunctionFacts, flow: FunctionFlow) -> Iterator[Report]:
    """Pairs of plain buffers of one type and block, the one done before the other is made."""
    done: dict[tuple[Block, str, object], list[Plain]] = {}
    for plain in plain_buffers(facts, flow):
        block, type_ = plain.made.parent, plain.origin.value.type
        known = plain.size is not None and plain.size.bytes is not None
        if block is None or type_ is None or not known or not plain.users or plain.filled:
            continue
        key = block, type_, (plain.origin.resource, *sorted(plain.made.attributes.items()))
        earlier = next((one for one in done.get(key, ()) if one.held[-1].index < plain.made.index), None)
        if earlier is not None:
            done[key].remove(earlier)
            yield Report(
                f"buffer {plain.name}{amount(plain.origin)} could take over the memory of {earlier.name}: "
                "one allocation less",
                plain.made.name_span,
                buffer=buffer(plain.origin),
                notes=(
                    Note(f"last use of {earlier.name}", earlier.held[-1].name_span),
                    Note(f"{earlier.name} is freed here", earlier.freed.name_span),
                ),
            )
        done.setdefault(key, []).append(plain)
