"""What is loaded from variables and containers depends on what is stored elsewhere, also after edits there."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.config import Config
from memlane.findings import Edit, Span
from memlane.fixes import fix_all
from memlane.query import Checker
from memlane.syntax import Document

CONFIG = Config()
FIELDS = """llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @use(!llvm.ptr)
llvm.func @f(%n: i64, %other: !llvm.ptr) -> i64 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %s = llvm.alloca %one x !llvm.struct<(ptr, ptr, i64)> : (i32) -> !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %second = llvm.getelementptr %s[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, ptr, i64)>
  llvm.store %a, %s : !llvm.ptr, !llvm.ptr
  llvm.store %b, %second : !llvm.ptr, !llvm.ptr
  %l = llvm.load %second : !llvm.ptr -> !llvm.ptr
  %k = llvm.load %l : !llvm.ptr -> i64
  %m = llvm.load %s : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%m) : (!llvm.ptr) -> ()
  llvm.return %k : i64
}
"""
EDITS = {
    "another index": ("%s[0, 1]", "%s[0, 2]"),
    "the same place": ("%s[0, 1]", "%s[0, 0]"),
    "a number is loaded": ("%second : !llvm.ptr -> !llvm.ptr", "%second : !llvm.ptr -> i64"),
    "a name that is not defined": ("llvm.load %second", "llvm.load %secon"),
    "another store": ("  %l = ", "  llvm.store %other, %s : !llvm.ptr, !llvm.ptr\n  %l = "),
    "a call": ("  %l = ", "  llvm.call @use(%s) : (!llvm.ptr) -> ()\n  %l = "),
    "another operand": ("%s[0, 1]", "%s[0, %n]"),
    "no store": ("  llvm.store %a, %s : !llvm.ptr, !llvm.ptr\n", ""),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_edits_change_what_loads_give(edit: tuple[str, str]) -> None:
    """There and back: each is what checking from scratch gives."""
    document, checker = Document(FIELDS, CONFIG.models), Checker()
    before = checker.findings(document, CONFIG)
    assert {one.rule.name for one in before} == {"leak", "uninitialized-read"}
    for old, new in (edit, edit[::-1]):
        at = document.source.index(old) if old else FIELDS.index(edit[0])
        document = document.edit([Edit(Span(at, at + len(old)), new)])
        assert checker.findings(document, CONFIG) == check(document.source, CONFIG).findings
    assert document.source == FIELDS and checker.findings(document, CONFIG) == before


def test_the_first_that_was_kept_is_told() -> None:
    """Of buffers that are kept at places which are not known any may be loaded: that is told of the first."""
    program = """
func.func @f(%i: index, %j: index, %k: index, %all: memref<?xmemref<4xf32>>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %a, %all[%i] : memref<?xmemref<4xf32>>
  memref.store %b, %all[%i] : memref<?xmemref<4xf32>>
  %l = memref.load %all[%j] : memref<?xmemref<4xf32>>
  %m = memref.load %all[%k] : memref<?xmemref<4xf32>>
  memref.dealloc %l : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return
}
"""
    kept: list[list[object]] = []
    for number in range(20):
        kept.append([object() for _ in range(7 * number)])  # values lie elsewhere in memory each time
        found = check(program).findings
        assert [one.report.buffer.name for one in found if one.report.buffer is not None] == ["%a"]


def test_a_slot_that_gets_another_buffer_is_not_that_buffer_before() -> None:
    """Repairs rest on which buffer is which from one operation to the next: they are the same each time."""
    program = """
func.func @f(%p: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.alloca() : memref<memref<8xi64>>
  %a = memref.alloc() : memref<8xi64>
  memref.store %a, %v[] : memref<memref<8xi64>>
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc() : memref<8xi64>
    memref.store %b, %v[] : memref<memref<8xi64>>
    %x = memref.load %b[%c0] : memref<8xi64>
  }
  return
}
"""
    kept: list[list[object]] = []
    found: set[str] = set()
    for number in range(20):
        kept.append([object() for _ in range(7 * number)])  # values lie elsewhere in memory each time
        found.add(fix_all(program, CONFIG, unsafe=True))
    assert len(found) == 1
    assert not {one.rule.name for one in check(found.pop()).findings} & {"leak", "possible-leak"}
