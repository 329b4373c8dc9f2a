"""The effect of an operation on buffers is not declared.

## What it does

Reports, once for each operation name, an operation without a model that has buffers as operands or results. It is
assumed to read and write them, and its results may alias them; no error depends on it. An operation without a model
whose name says that it frees what it takes (`npu.dealloc`, `npu.free_tensor`) is reported whatever that is. A
`[op."..."]` table in `memlane.toml` describes it. An operation named `func` of an unknown dialect (`npu.func`) is taken
for a function, and reported where it makes or frees buffers; one named `return` that ends a function hands its
operands to the caller.

## Why is this bad?

What the operation does is guessed: a leak or a use after free that it is part of may go unseen, or be reported as
possible only.

## Example

```mlir
func.func @custom(%input: memref<16xf32>) {
  "npu.run"(%input) : (memref<16xf32>) -> ()
  return
}
```

## Use instead

```mlir
func.func @custom(%input: memref<16xf32>, %output: memref<16xf32>) {
  memref.copy %input, %output : memref<16xf32> to memref<16xf32>
  return
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from memlane.dialects.op_names import seems_to_free
from memlane.dialects.toml_text import quoted
from memlane.findings import Applicability, Report, Rule, Severity
from memlane.flow import FunctionFacts, FunctionFlow

RULE = Rule(
    "unknown-effects",
    Severity.HINT,
    "the effect of an operation on buffers is not declared",
    once=True,
    fixes=Applicability.UNSAFE,
)


def check(facts: FunctionFacts, flow: FunctionFlow) -> Iterator[Report]:
    """Operations without a model, once for each name."""
    models, function = flow.graph.models, flow.graph.function
    owns = any(model is not None and (model.alloc or model.free) for model in flow.graph.named_models.values())
    if owns and models.is_assumed_function(function.name):
        table = f"[op.{quoted(function.name)}]"
        message = f"unknown operation {function.name}: taken for a function; add {table} to memlane.toml"
        yield Report(message, function.name_span)
    for op in facts.undescribed:
        table = f"[op.{quoted(op.name)}]"
        message = f"unknown operation {op.name}: its effect on buffers is not declared; add {table} to memlane.toml"
        if seems_to_free(op.name):
            message = f"unknown operation {op.name}: what it frees is not declared; add {table} to memlane.toml"
        if models.is_guessed(op.name):
            message = f"the effect of {op.name} on buffers is guessed: complete {table} and remove `guessed`"
        yield Report(message, op.name_span)
