"""A statement could not be read.

## What it does

Reports text that is no MLIR: a statement that breaks off, a bracket without its partner, a word where a value
belongs. Only the damaged statement is passed over; everything around it is still checked.

## Why is this bad?

`mlir-opt` stops at the first such place and reads nothing more of the file.

## Example

```mlir
func.func @broken(%a: memref<4xf32>) {
  %c0 = arith.constant : : index
  return
}
```

## Use instead

```mlir
func.func @broken(%a: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  return
}
```
"""

from __future__ import annotations

from memlane.findings import Applicability, Rule, Severity

RULE = Rule("syntax", Severity.ERROR, "a statement could not be read", fixes=Applicability.UNSAFE)
