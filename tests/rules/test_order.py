"""Findings come in source order, whatever found them."""

from __future__ import annotations

from memlane.checking import check

SOURCE = """func.func @first(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  "use"(%undefined) : (index) -> ()
  return
}
func.func @second() {
  %a = memref.alloc() : memref<4xf32>
  return
}
"""


def test_order() -> None:
    findings = check(SOURCE).findings
    starts = [finding.report.span.start for finding in findings]
    assert starts == sorted(starts)
    assert {finding.rule.name for finding in findings} == {"double-free", "leak", "undefined-value"}
    assert [finding.function for finding in findings if finding.rule.name == "leak"] == ["first", "second"]
