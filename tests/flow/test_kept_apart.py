"""Which of the buffers a load gives that are kept in memory which functions are passed depends on where it loads."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.incremental import Checker
from memlane.syntax import Document

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
        ("@use(%w, %w)", "@use(%w, %v)", [23]),
        ("llvm.store %b, %second", "llvm.store %a, %second", [21]),
    ],
)
def test_edits(before: str, after: str, lines: list[int]) -> None:
    config, checker = Config(), Checker()
    document = Document(SOURCE, config.models)
    assert _double(document, checker, config) == []
    for old, new, expected in ((before, after, lines), (after, before, [])):
        start = document.source.index(old)
        document = document.edit([Edit(Span(start, start + len(old)), new)])
        found = _double(document, checker, config)
        assert checker.findings(document, config) == check(document.source).findings
        assert set(expected) <= set(found) and bool(expected) is bool(found)


def _double(document: Document, checker: Checker, config: Config) -> list[int]:
    """The lines of double frees."""
    found = checker.findings(document, config)
    spans = [one.report.span for one in found if one.rule.name.endswith("double-free")]
    return [document.source.count("\n", 0, span.start) + 1 for span in spans]
