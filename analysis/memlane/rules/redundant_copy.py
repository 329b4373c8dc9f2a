"""A buffer is copied into a new one and not used again.

## What it does

Reports a copy into a newly allocated buffer of the same type (or a clone, which is both) when the source is a buffer
of the same block that is not used afterwards: the new buffer could be the old one, without allocation and copy.

## Why is this bad?

Bufferization copies where it cannot prove that it may write in place. Such a copy costs time, and both buffers live
at once while it runs.

## Example

```mlir
func.func @handover(%input: memref<256xf32>, %zero: f32) {
  %old = memref.alloc() : memref<256xf32>
  linalg.fill ins(%zero : f32) outs(%old : memref<256xf32>)
  %new = memref.alloc() : memref<256xf32>
  memref.copy %old, %new : memref<256xf32> to memref<256xf32>
  memref.dealloc %old : memref<256xf32>
  memref.copy %new, %input : memref<256xf32> to memref<256xf32>
  memref.dealloc %new : memref<256xf32>
  return
}
```

## Use instead

```mlir
func.func @handover(%input: memref<256xf32>, %zero: f32) {
  %old = memref.alloc() : memref<256xf32>
  linalg.fill ins(%zero : f32) outs(%old : memref<256xf32>)
  memref.copy %old, %input : memref<256xf32> to memref<256xf32>
  memref.dealloc %old : memref<256xf32>
  return
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.findings import Applicability, Note, Report, Rule, Severity
from memlane.flow import FunctionFacts, FunctionFlow
from memlane.flow.cfg.ops_by_name import described
from memlane.flow.memory.effects_at import effects_at
from memlane.rules._memory import amount, buffer
from memlane.rules._plain import Plain, plain_buffers
from memlane.syntax.tree.tree import Op, Value

RULE = Rule(
    "redundant-copy",
    Severity.HINT,
    "a buffer is copied into a new one and not used again",
    unnecessary=True,
    fixes=Applicability.SAFE,
)


def check(facts: FunctionFacts, flow: FunctionFlow) -> Iterator[Report]:
    """Copies whose source ends and whose target begins with them."""
    copies = {resource.copy for resource in flow.graph.models.resources.values() if resource.copy is not None}
    graph = flow.graph
    copying = [op for name in copies for op in graph.named.get(name, ()) if len(op.operands) == 2]
    copying = [op for op in copying if _alike(op, op.operands[0].value, op.operands[1].value)]
    effects = [(op, effects_at(graph, op)) for op in described(graph, lambda model: model.alloc) if op.operands]
    clones = [(op, one.allocs[0][0]) for op, one in effects if one.reads and one.allocs]
    cloning = [op for op, made in clones if _alike(op, op.operands[0].value, made)]
    found = list(plain_buffers(facts, flow, {*copying, *cloning}))
    source_of = {one.origin.value: one for one in found}
    for target in found:
        copy = target.made if target.filled else None
        source = source_of.get(copy.operands[0].value) if copy is not None and copy.operands[0].value else None
        if copy is None:
            copy = target.held[0] if target.held else None
            if copy is None or copy is not target.users[0] or copy.name not in copies or len(copy.operands) != 2:
                continue
            source = _source(source_of, copy, target)
        if source is not None and source is not target and _handed_over(source, target, copy):
            notes = (
                Note(f"{target.name} is allocated here", target.made.name_span),
                Note(f"{source.name} is freed here", source.freed.name_span),
            )
            yield Report(
                f"buffer {target.name}{amount(target.origin)} could be {source.name}, which is not used afterwards: "
                "neither allocation nor copy is needed",
                copy.name_span,
                buffer=buffer(target.origin),
                notes=notes if copy is not target.made else notes[1:],
            )


def _alike(op: Op, source: Value | None, target: Value | None) -> bool:
    """Whether values are of one type, and made in the block of `op`: other copies are not reported."""
    if source is None or target is None or source.type != target.type:
        return False
    return all(value.op is not None and value.op.parent is op.parent for value in (source, target))


def _handed_over(source: Plain, target: Plain, copy: Op) -> bool:
    """Whether the copy is the last use of its source, in the block of both, and they are alike."""
    alike = source.origin.value.type == target.origin.value.type and source.origin.resource == target.origin.resource
    here = source.made.parent is target.made.parent is copy.parent
    # A view of the source that lives on would see what is written to the target.
    last = source.held[-1] is copy and source.users[-1] is copy
    if source.filled and not target.filled:
        return False  # a clone must not be written to, a copy may be
    return alike and here and last and (target.filled or source.made.attributes == target.made.attributes)


def _source(known: dict[Value, Plain], copy: Op, target: Plain) -> Plain | None:
    source, destination = (use.value for use in copy.operands)
    return known.get(source) if source is not None and destination is target.origin.value else None
