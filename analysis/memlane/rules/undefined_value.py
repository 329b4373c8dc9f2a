"""A value is used but not defined.

## What it does

Reports an SSA name that has no definition where it is used: none in the function, or none in a region around the
use, or one in a block that does not dominate it. Where another region defines the name, the message says so and points
there; else a name that was probably meant is suggested.

## Why is this bad?

`mlir-opt` refuses the program, and reads nothing more of it.

## Example

```mlir
func.func @typo(%buffer: memref<4xf32>) {
  memref.dealloc %bufer : memref<4xf32>
  return
}
```

## Use instead

```mlir
func.func @typo(%buffer: memref<4xf32>) -> memref<4xf32> {
  return %buffer : memref<4xf32>
}
```
"""

from __future__ import annotations

from memlane.findings import Applicability, Rule, Severity

RULE = Rule("undefined-value", Severity.ERROR, "a value is used but not defined", fixes=Applicability.UNSAFE)
