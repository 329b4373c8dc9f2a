"""Contents of local memory are certain only where places are: nothing in these programs is an error."""

from __future__ import annotations

import pytest

from memlane.checking import check
from memlane.findings import Severity

HEAD = """llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @_mlir_ciface_use(!llvm.ptr)
llvm.func @f(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
"""
ARRAY, DESCRIPTOR = "!llvm.array<2 x ptr>", "!llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>"
BODIES = {
    "two buffers in one value": f"""  %v = llvm.alloca %one x {ARRAY} : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : {ARRAY}
  %1 = llvm.insertvalue %a, %0[0] : {ARRAY}
  %2 = llvm.insertvalue %b, %1[1] : {ARRAY}
  llvm.store %2, %v : {ARRAY}, !llvm.ptr
  %l = llvm.load %v : !llvm.ptr -> {ARRAY}
  %x = llvm.extractvalue %l[0] : {ARRAY}
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  %y = llvm.extractvalue %l[1] : {ARRAY}
  llvm.store %n, %y : i64, !llvm.ptr
  llvm.call @free(%y) : (!llvm.ptr) -> ()
""",
    "an address inside": """  %g = llvm.getelementptr %a[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %x = llvm.ptrtoint %a : !llvm.ptr to i64
  %y = llvm.ptrtoint %g : !llvm.ptr to i64
  %c = llvm.icmp "eq" %x, %y : i64
  llvm.cond_br %c, ^same, ^end
^same:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.call @free(%b) : (!llvm.ptr) -> ()
""",
    "who is passed it fills it": f"""  %d = llvm.alloca %one x {DESCRIPTOR} : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : {DESCRIPTOR}
  %1 = llvm.insertvalue %a, %0[0] : {DESCRIPTOR}
  %2 = llvm.insertvalue %a, %1[1] : {DESCRIPTOR}
  llvm.store %2, %d : {DESCRIPTOR}, !llvm.ptr
  llvm.call @_mlir_ciface_use(%d) : (!llvm.ptr) -> ()
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.call @_mlir_ciface_use(%d) : (!llvm.ptr) -> ()
  llvm.call @free(%b) : (!llvm.ptr) -> ()
""",
    "what is stored is wider": """  %v = llvm.alloca %one x !llvm.array<3 x ptr> : (i64) -> !llvm.ptr
  %first = llvm.getelementptr %v[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<3 x ptr>
  %second = llvm.getelementptr %v[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<3 x ptr>
  llvm.store %a, %second : !llvm.ptr, !llvm.ptr
  %x = llvm.load %second : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  %none = llvm.mlir.constant(dense<0> : vector<2xi64>) : vector<2xi64>
  llvm.store %none, %first : vector<2xi64>, !llvm.ptr
  %y = llvm.load %second : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.call @free(%b) : (!llvm.ptr) -> ()
""",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_no_error(body: str) -> None:
    found = check(f"{HEAD}{body}  llvm.return\n}}\n").findings
    assert [one.rule.name for one in found if one.severity is Severity.ERROR] == []


OWN = {
    "a view": "%w = memref.cast %w : memref<memref<i1>> to memref<memref<i1>>\n"
    "  memref.store %a, %w[] : memref<memref<i1>>",
    "an array of flags": "%w = memref.cast %w : memref<i1> to memref<i1>\n"
    "  func.call @dealloc_helper(%w, %w, %w, %w, %w)"
    " : (memref<i1>, memref<i1>, memref<i1>, memref<i1>, memref<i1>) -> ()\n"
    "  %f = memref.load %w[] : memref<i1>\n  cf.cond_br %f, ^dead, ^dead",
    "an aggregate": f"%w = llvm.insertvalue %p, %w[1] : {DESCRIPTOR}\n  %x = llvm.extractvalue %w[0] : {DESCRIPTOR}",
}


@pytest.mark.parametrize("text", OWN.values(), ids=OWN)
def test_what_is_made_of_itself(text: str) -> None:
    """Where control never comes that is allowed: looking for what it is made of ends."""
    last = "" if "cond_br" in text else "  cf.br ^dead\n"
    check(
        "func.func private @dealloc_helper(memref<i1>, memref<i1>, memref<i1>, memref<i1>, memref<i1>)\n"
        f"func.func @f(%p: !llvm.ptr) {{\n  return\n^dead:\n  %a = memref.alloc() : memref<i1>\n  {text}\n{last}}}\n"
    )
