"""An allocation is larger than memory can be.

## What it does

Reports an allocation whose size does not fit into 63 bits, has a negative dimension, or exceeds `limits.alloc`
(64 GiB unless configured).

## Why is this bad?

The size wraps when the program is lowered, so that a small or a huge amount is asked for: the program writes outside
its buffer, or the allocation fails. Such sizes come from wrong shape arithmetic.

## Example

```mlir
func.func @cube(%zero: f32) {
  %all = memref.alloc() : memref<3090540x3090540x3090540xf32>
  linalg.fill ins(%zero : f32) outs(%all : memref<3090540x3090540x3090540xf32>)
  memref.dealloc %all : memref<3090540x3090540x3090540xf32>
  return
}
```

## Use instead

```mlir
func.func @cube(%zero: f32) {
  %all = memref.alloc() : memref<309x309x309xf32>
  linalg.fill ins(%zero : f32) outs(%all : memref<309x309x309xf32>)
  memref.dealloc %all : memref<309x309x309xf32>
  return
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.config import Config
from memlane.findings import Report, Rule, Severity
from memlane.flow import FunctionFacts, Origin, OriginKind, Program
from memlane.flow.extent import Extents
from memlane.rules._memory import buffer, where
from memlane.words import words

RULE = Rule("oversize-alloc", Severity.WARNING, "an allocation is larger than memory can be")

_WORD = 2**63


def measure(facts: FunctionFacts, program: Program, config: Config) -> Iterator[Report]:
    """Allocations with impossible sizes."""
    limit: int = config.values["limits.alloc"]
    extents = Extents(facts.flow.graph, {})
    for cluster in program.aliases(facts.flow).clusters.values():
        for origin in cluster.origins:
            if origin.kind is OriginKind.ALLOCATION and origin.resource != "global":
                message = _message(extents, origin, limit)
                if message is not None:
                    yield Report(message, where(origin), buffer=buffer(origin))


def _message(extents: Extents, origin: Origin, limit: int) -> str | None:
    name = origin.value.name
    for dimension in extents.wanted(origin.value):
        if dimension[0] == "const" and dimension[1] < 0:
            return f"buffer {name} has a dimension of {dimension[1]}"
    size = extents.of(origin.value, {})
    count = size.bytes if size is not None else None
    if count is None or count <= limit:
        return None
    if count >= _WORD:
        return f"buffer {name} takes {count} bytes, more than 64 bits can say: the size wraps"
    return f"buffer {name} takes {words(count)}, more than the limit of {words(limit)}"
