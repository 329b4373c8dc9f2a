"""A comment silences nothing.

## What it does

Reports a `// memlane: ignore[...]`, `ignore-file[...]` or `off[...]` comment that silences no finding, an `on` with
nothing to end, and, as a warning, a comment of that kind that cannot be understood: a rule that does not exist, a
missing bracket. Comments for rules that the configuration switches off are not reported. No comment is reported while a
statement of the file cannot be read or a function exceeds the analysis limits.

## Why is this bad?

The comment stays when the program around it changes, and then silences a new finding that was never reviewed.

## Example

```mlir
func.func @repaired(%x: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>  // memlane: ignore[leak] freed by the runtime
  memref.store %x, %a[%i] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}
```

## Use instead

```mlir
func.func @repaired(%x: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}
```
"""

from __future__ import annotations

from memlane.findings import Applicability, Rule, Severity

RULE = Rule(
    "unused-suppression", Severity.INFORMATION, "a comment silences nothing", unnecessary=True, fixes=Applicability.SAFE
)
