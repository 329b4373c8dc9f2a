"""Memory that was not allocated on the heap is freed.

## What it does

Reports a deallocation of memory from `memref.alloca` or `memref.get_global`, through whatever view, and of a bare
pointer into a buffer (`llvm.call @free` of a `llvm.getelementptr`). A memref carries the start of its buffer with it:
`memref.dealloc` of a subview frees the buffer. In lowered code globals are what `llvm.mlir.addressof` names, and the
number 0xdeadbeef, which lowering puts where the descriptor of a global would have the pointer that is freed.

## Why is this bad?

The deallocator gets a pointer that its allocator did not return: the program aborts (`free(): invalid pointer`) or
damages its heap. Stack memory ends with its scope, globals with the program.

## Example

```mlir
func.func @scratch() {
  %stack = memref.alloca() : memref<16xf32>
  memref.dealloc %stack : memref<16xf32>
  return
}
```

## Use instead

```mlir
func.func @scratch() {
  %stack = memref.alloca() : memref<16xf32>
  return
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Applicability, Certainty, Report, Rule, Severity
from memlane.flow import EventKind, FunctionFacts, FunctionFlow
from memlane.rules._memory import incidents, inside, known_as, report

RULE = Rule(
    "invalid-free", Severity.ERROR, "memory that was not allocated on the heap is freed", fixes=Applicability.SAFE
)


def check(facts: FunctionFacts, flow: FunctionFlow) -> Iterator[Report]:
    """Deallocations of stack and global memory."""
    for incident in incidents(facts, EventKind.INVALID_FREE):
        always = incident.certainty is Certainty.ALWAYS
        path = "" if always else " on some path"
        resource = incident.origin.resource
        what = f"is {resource} memory{path} and must not be freed"
        if resource not in ("stack", "global"):
            what = "may point into its buffer, of which only the start can be freed"
        yield report(
            f"{known_as(incident)} {what}",
            incident,
            inside(incident.inside, "the callee frees it here"),
            None if always else Severity.WARNING,
        )
