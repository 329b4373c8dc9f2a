"""Which buffers a load from memory in arguments may give depends on its place."""

from __future__ import annotations

import pytest

from memlane.findings import Finding
from tests.flow.test_incremental import Bench

SOURCE = """llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @use(!llvm.ptr, !llvm.ptr)
llvm.func @f(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %v = llvm.alloca %one x !llvm.array<2 x ptr> : (i64) -> !llvm.ptr
  %w = llvm.alloca %one x !llvm.ptr : (i64) -> !llvm.ptr
  %second = llvm.getelementptr %v[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %c = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %a, %v : !llvm.ptr, !llvm.ptr
  llvm.store %b, %second : !llvm.ptr, !llvm.ptr
  llvm.store %c, %w : !llvm.ptr, !llvm.ptr
  llvm.call @use(%v, %v) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.call @use(%w, %w) : (!llvm.ptr, !llvm.ptr) -> ()
  %from = llvm.getelementptr %v[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %x = llvm.load %v : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  %y = llvm.load %from : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  %z = llvm.load %w : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%z) : (!llvm.ptr) -> ()
  llvm.return
}
"""


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("%from = llvm.getelementptr %v[8]", "%from = llvm.getelementptr %v[0]", [21]),
        ("%from = llvm.getelementptr %v[8]", "%from = llvm.getelementptr %v[4]", [21]),
        ("%from = llvm.getelementptr %v[8]", "%from = llvm.getelementptr %v[%n]", [21]),
        ("@use(%w, %w)", "@use(%w, %v)", [21, 23]),
        ("llvm.store %b, %second", "llvm.store %a, %second", [21]),
    ],
)
def test_edits(before: str, after: str, lines: list[int]) -> None:
    bench = Bench(SOURCE)
    assert _double(bench.compare()) == []
    assert _double(bench.replace(before, after)) == lines
    assert _double(bench.replace(after, before)) == []


def _double(findings: tuple[Finding, ...]) -> list[int]:
    """The lines of double frees."""
    spans = [one.report.span for one in findings if one.rule.name.endswith("double-free")]
    return [SOURCE.count("\n", 0, span.start) + 1 for span in spans]
