"""A branch goes to a block that does not exist.

## What it does

Reports a successor whose label no block of the region has.

## Why is this bad?

`mlir-opt` refuses the program, and reads nothing more of it.

## Example

```mlir
func.func @lost() {
  cf.br ^bb2
^bb1:
  return
}
```

## Use instead

```mlir
func.func @lost() {
  cf.br ^bb1
^bb1:
  return
}
```
"""

from __future__ import annotations

from memlane.findings import Applicability, Rule, Severity

RULE = Rule(
    "undefined-block", Severity.ERROR, "a branch goes to a block that does not exist", fixes=Applicability.UNSAFE
)
