"""A call names a function that does not exist.

## What it does

Reports a symbol that nothing in the symbol tables around it defines.

## Why is this bad?

`mlir-opt` refuses the program.

## Example

```mlir
func.func @main() {
  func.call @helper() : () -> ()
  return
}
```

## Use instead

```mlir
func.func private @helper()
func.func @main() {
  func.call @helper() : () -> ()
  return
}
```
"""

from __future__ import annotations

from memlane.findings import Applicability, Rule, Severity

RULE = Rule(
    "undefined-symbol", Severity.ERROR, "a call names a function that does not exist", fixes=Applicability.UNSAFE
)
