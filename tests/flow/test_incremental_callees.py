"""Edits of functions that decide what is found in others which do not call them by name, or not directly."""

from __future__ import annotations

from memlane.findings import Severity
from tests.flow.test_incremental import Bench, rules

CHOICE = """\
func.func private @deep(%m: memref<4xf32>) {
  return // deep
}
func.func private @looks(%m: memref<4xf32>) {
  func.call @deep(%m) : (memref<4xf32>) -> ()
  return
}
func.func private @declared(memref<4xf32>)
func.func @run(%c: i1) {
  %looks = func.constant @looks : (memref<4xf32>) -> ()
  %declared = func.constant @declared : (memref<4xf32>) -> ()
  %f = arith.select %c, %looks, %declared : (memref<4xf32>) -> ()
  %a = memref.alloc() : memref<4xf32>
  func.call_indirect %f(%a) : (memref<4xf32>) -> ()
  return
}
"""
HANDED_ON = """\
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @get(i64) -> !llvm.ptr
llvm.func internal @deep(%n: i64) -> !llvm.ptr {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.return %a : !llvm.ptr
}
llvm.func internal @on(%n: i64) -> !llvm.ptr {
  %a = llvm.call @deep(%n) : (i64) -> !llvm.ptr
  llvm.return %a : !llvm.ptr
}
llvm.func @run(%n: i64) {
  %a = llvm.call @on(%n) : (i64) -> !llvm.ptr
  llvm.return
}
"""
TWICE = """\
func.func private @two() -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  return %a, %a : memref<4xf32>, memref<4xf32>
}
func.func @run() {
  %r:2 = call @two() : () -> (memref<4xf32>, memref<4xf32>)
  memref.dealloc %r#0 : memref<4xf32>
  memref.dealloc %r#1 : memref<4xf32>
  return
}
"""
STATUS = """\
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func internal @inner(%p: !llvm.ptr, %c: i1, %n: i32) -> i32 {
  %z = llvm.mlir.constant(0 : i32) : i32
  %m = llvm.mlir.constant(-1 : i32) : i32
  %k = llvm.add %n, %m : i32
  llvm.cond_br %c, ^bb1, ^bb2
^bb1:
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return %z : i32
^bb2:
  llvm.return %k : i32
}
llvm.func internal @outer(%p: !llvm.ptr, %c: i1, %n: i32) -> i32 {
  %r = llvm.call @inner(%p, %c, %n) : (!llvm.ptr, i1, i32) -> i32
  llvm.return %r : i32
}
llvm.func @run(%n: i64, %c: i1, %k: i32) {
  %z = llvm.mlir.constant(0 : i32) : i32
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %r = llvm.call @outer(%p, %c, %k) : (!llvm.ptr, i1, i32) -> i32
  %f = llvm.icmp "ne" %r, %z : i32
  llvm.cond_br %f, ^bb1, ^bb2
^bb1:
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.br ^bb2
^bb2:
  llvm.return
}
"""
RESOURCES = """\
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @_ZdlPv(!llvm.ptr)
llvm.func internal @gives_back(%x: !llvm.ptr, %c: i1) {
  llvm.cond_br %c, ^a, ^b
^a:
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.return
^b:
  llvm.return
}
llvm.func @run(%c: i1, %n: i64) {
  %x = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call @gives_back(%x, %c) : (!llvm.ptr, i1) -> ()
  llvm.return
}
"""
HANDS_ON = "func.call @hand_on(%drops) : ((memref<4xf32>, i1) -> ()) -> ()"
ADDRESS = f"""\
func.func private @hand_on((memref<4xf32>, i1) -> ())
func.func private @drops(%m: memref<4xf32>, %last: i1) {{
  scf.if %last {{
    memref.dealloc %m : memref<4xf32>
  }}
  return
}}
func.func @run() {{
  %false = arith.constant false
  %drops = func.constant @drops : (memref<4xf32>, i1) -> ()
  {HANDS_ON}
  return
}}
func.func @calls(%m: memref<4xf32>) {{
  %false = arith.constant false
  func.call @drops(%m, %false) : (memref<4xf32>, i1) -> ()
  return
}}
"""
TABLE = """\
llvm.func @free(!llvm.ptr)
llvm.func internal @drops(%p: !llvm.ptr, %aligned: !llvm.ptr, %offset: i64) {
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.mlir.global internal constant @table() : !llvm.ptr {
  %f = llvm.mlir.addressof @drops : !llvm.ptr
  llvm.return %f : !llvm.ptr
}
"""
TASK = """\
func.func private @work()
func.func @run(%i: index, %v: f32) {
  %a = memref.alloc() : memref<4xf32>
  omp.task {
    memref.store %v, %a[%i] : memref<4xf32>
    omp.terminator
  }
  omp.taskyield
  memref.dealloc %a : memref<4xf32>
  return
}
"""


def test_a_function_that_is_one_of_several_decides() -> None:
    bench = Bench(CHOICE)
    assert rules(bench.compare()) == [("run", "leak")]
    found = bench.replace("return // deep", "memref.dealloc %m : memref<4xf32>\n  return // deep")
    assert ("run", "possible-leak") in rules(found)
    assert ("run", "leak") in rules(bench.replace("  memref.dealloc %m : memref<4xf32>\n", ""))
    assert ("run", "leak") in rules(bench.replace("call @deep(%m)", "call @other(%m)"))


def test_whose_a_pointer_is_that_is_handed_on_decides() -> None:
    bench = Bench(HANDED_ON)
    assert rules(bench.compare()) == [("run", "leak")]
    assert rules(bench.replace("call @malloc", "call @get")) == [("run", "possible-leak")]
    assert rules(bench.replace("call @get", "call @malloc")) == [("run", "leak")]


def test_whether_two_results_are_one_buffer_decides() -> None:
    bench = Bench(TWICE)
    assert rules(bench.compare()) == [("two", "leak"), ("two", "aliased-results"), ("run", "double-free")]
    assert rules(bench.replace("return %a, %a", "return %a, %b")) == []
    assert ("run", "double-free") in rules(bench.replace("return %a, %b", "return %b, %b"))


def test_to_what_a_function_gives_back_decides() -> None:
    bench = Bench(RESOURCES)
    assert rules(bench.compare()) == [("gives_back", "argument-free"), ("run", "possible-leak")]
    assert ("run", "mismatched-free") in rules(bench.replace("call @free(", "call @_ZdlPv("))
    assert ("run", "mismatched-free") not in rules(bench.replace("call @_ZdlPv(", "call @free("))


def test_who_takes_the_address_of_a_function_decides() -> None:
    bench = Bench(ADDRESS)
    assert rules(bench.compare()) == [("drops", "argument-free")]
    assert rules(bench.replace(f"  {HANDS_ON}\n", "")) == []
    assert rules(bench.replace("  return\n}\nfunc.func @calls", f"  {HANDS_ON}\n  return\n}}\nfunc.func @calls")) == [
        ("drops", "argument-free")
    ]


def test_a_table_that_holds_the_address_of_a_function_decides() -> None:
    bench = Bench(TABLE)
    assert [finding.severity for finding in bench.compare()] == [Severity.INFORMATION]
    assert [finding.severity for finding in bench.replace("addressof @drops", "addressof @table")] == [Severity.WARNING]
    assert [finding.severity for finding in bench.replace("addressof @table", "addressof @drops")] == [
        Severity.INFORMATION
    ]


def test_who_may_wait_for_a_task_decides() -> None:
    bench = Bench(TASK)
    told = [("run", "free-before-wait")]
    assert rules(bench.compare()) == told
    assert rules(bench.replace("omp.taskyield", "omp.taskwait")) == []
    assert rules(bench.replace("omp.taskwait", "omp.taskyield")) == told
    assert rules(bench.replace("omp.taskyield", "call @work() : () -> ()")) == []
    assert rules(bench.replace("call @work() : () -> ()", "")) == told
    bench.replace("omp.task {", "scf.execute_region {")
    assert rules(bench.replace("omp.terminator", "scf.yield")) == []
    bench.replace("scf.yield", "omp.terminator")
    assert rules(bench.replace("scf.execute_region {", "omp.task {")) == told


def test_what_a_function_gives_becomes_a_status_and_is_none_again() -> None:
    """Nothing else that its callers have been told changes with that."""
    for source in (STATUS, STATUS.replace("call @outer", "call @inner")):
        bench = Bench(source)
        assert ("run", "possible-leak") in rules(bench.compare())
        assert ("run", "possible-leak") not in rules(bench.replace("return %k", "return %m"))
        assert ("run", "possible-leak") in rules(bench.replace("return %m", "return %k"))
