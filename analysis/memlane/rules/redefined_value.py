"""A name is defined twice.

## What it does

Reports an SSA name that is defined a second time in the same scope, a block that has the name of another one in its
region, and a function or global that has the name of another one in its module.

## Why is this bad?

`mlir-opt` refuses the program: a name has one definition.

## Example

```mlir
func.func @twice() -> index {
  %c = arith.constant 0 : index
  %c = arith.constant 1 : index
  return %c : index
}
```

## Use instead

```mlir
func.func @twice() -> index {
  %c = arith.constant 0 : index
  %c_0 = arith.constant 1 : index
  return %c_0 : index
}
```
"""

from __future__ import annotations

from memlane.findings import Rule, Severity

RULE = Rule("redefined-value", Severity.ERROR, "a name is defined twice")
