"""An allocation is larger than the limit, or its size overflows.

## What it does

Reports an allocation whose size does not fit into 63 bits, has a negative dimension, or exceeds `limits.alloc`
(64 GiB unless configured).

## Why is this bad?

The size wraps when the program is lowered, so that a small or a huge amount is allocated: the program writes outside
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
from memlane.flow import FunctionFacts, FunctionFlow, Origin, OriginKind, Program
from memlane.flow.peak.extent import Extents
from memlane.flow.symbolic.scalar import Facts, simplify
from memlane.format import in_bytes, words
from memlane.rules._memory import buffer, where
from memlane.syntax.tree.tree import Value

RULE = Rule("oversize-alloc", Severity.WARNING, "an allocation is larger than the limit, or its size overflows")

_WORD = 2**63


def measure(facts: FunctionFacts, flow: FunctionFlow, program: Program, config: Config) -> Iterator[Report]:
    """Allocations with impossible sizes, as the function is called."""
    limit: int = config.values["limits.alloc"]
    extents = Extents(flow.graph, {})
    contexts: list[Facts] = [dict(context.constants) for context in program.contexts(flow)]
    fine = set[str]()  # types that say all of the size
    for cluster in program.aliases(flow).clusters.values():
        for origin in cluster.origins:
            if origin.kind is OriginKind.ALLOCATION and origin.resource != "global" and origin.value.type not in fine:
                messages = (_message(extents, origin, limit, constants) for constants in contexts)
                message = next((one for one in messages if one is not None), None)
                if message is not None:
                    yield Report(message, where(origin), buffer=buffer(origin))
                elif (type_ := _sized(origin.value)) is not None:
                    fine.add(type_)


def _sized(value: Value) -> str | None:
    """The type of a memref, where that says how large it is, and its op nothing else."""
    type_ = value.type or ""
    static = type_.startswith("memref<") and "?" not in type_ and "*" not in type_
    return type_ if static and value.op is not None and not value.op.operands else None


def _message(extents: Extents, origin: Origin, limit: int, constants: Facts) -> str | None:
    name = origin.value.name
    for expression in extents.wanted(origin.value):
        dimension = simplify(expression, constants)
        if dimension[0] == "const" and dimension[1] < 0:
            return f"buffer {name} has a dimension of {dimension[1]}"
    size = extents.of(origin.value, constants)
    if size is None:
        return None
    if size.unbounded:
        return f"the size of buffer {name} overflows 64 bits and wraps"
    count = size.bytes
    if count is None:
        least = min(factor for _, factor in size.terms)
        return (
            f"the size of buffer {name}, {in_bytes(size)}, overflows 64 bits unless it is empty"
            if least >= _WORD
            else None
        )
    if count >= _WORD:
        wrapped = (count + _WORD) % (2 * _WORD) - _WORD
        return f"the size of buffer {name}, {words(count)}, overflows 64 bits and wraps to {wrapped}"
    if count <= limit:
        return None
    said = (words(count), words(limit)) if words(count) != words(limit) else (f"{count} bytes", str(limit))
    return f"buffer {name} takes {said[0]}, more than the limit of {said[1]}"
