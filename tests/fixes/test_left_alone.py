"""Right programs that look as if something could be freed earlier, or once more: `fix_all` leaves them as they are."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from memlane.checking import check
from memlane.config import load_config
from memlane.findings import Severity
from memlane.fixes import fix_all

FOLDER = Path(__file__).parent / "left_alone"
PROGRAMS = sorted(FOLDER.glob("*.mlir"))
OPT = shutil.which("mlir-opt-22")

_POINTER, _MEMREF = "!llvm.ptr", "memref<64xf32>"
_USES = {
    _MEMREF: "%u = memref.load {q}[%c0] : memref<64xf32>",
    "memref<*xf32>": (
        "%m = memref.cast {q} : memref<*xf32> to memref<4xf32>\n  %u = memref.load %m[%c0] : memref<4xf32>"
    ),
    _POINTER: "%u = llvm.load {q} : !llvm.ptr -> f32",
    "!llvm.struct<(ptr, i64)>": (
        "%e = llvm.extractvalue {q}[0] : !llvm.struct<(ptr, i64)>\n  %u = llvm.load %e : !llvm.ptr -> f32"
    ),
    "!llvm.struct<(i64, i32)>": (
        "%n = llvm.extractvalue {q}[0] : !llvm.struct<(i64, i32)>\n"
        "  %e = llvm.inttoptr %n : i64 to !llvm.ptr\n  %u = llvm.load %e : !llvm.ptr -> f32"
    ),
    "index": (
        "%n = arith.index_cast {q} : index to i64\n"
        "  %e = llvm.inttoptr %n : i64 to !llvm.ptr\n  %u = llvm.load %e : !llvm.ptr -> f32"
    ),
    "i64": "%e = llvm.inttoptr {q} : i64 to !llvm.ptr\n  %u = llvm.load %e : !llvm.ptr -> f32",
    "tensor<64xf32>": "%u = tensor.extract {q}[%c0] : tensor<64xf32>",
    "tuple<memref<64xf32>, i32>": "%u = func.call @first({q}) : (tuple<memref<64xf32>, i32>) -> f32",
    "!my.handle": "%u = func.call @of_handle({q}) : (!my.handle) -> f32",
}
"""By type of a result, statements that use the memory that it may point to."""

_CALLS = {
    "named": "%q = func.call @get(%p) : ({given}) -> {type}",
    "value": "%q = func.call_indirect %f(%p) : ({given}) -> {type}",
    "chain": "%0 = func.call @get(%p) : ({given}) -> {type}\n  %q = func.call @again(%0) : ({type}) -> {type}",
    "wrapper": "%q = func.call @wrapper(%p) : ({given}) -> {type}",
    "wrapper of wrapper": "%q = func.call @outer(%p) : ({given}) -> {type}",
    "wrapper by value": (
        "%w = func.constant @wrapper : ({given}) -> {type}\n  %q = func.call_indirect %w(%p) : ({given}) -> {type}"
    ),
    "choice": (
        "%q = scf.if %c -> ({type}) {{\n    %0 = func.call @get(%p) : ({given}) -> {type}\n    scf.yield %0 : {type}\n"
        "  }} else {{\n    %1 = func.call @get(%p) : ({given}) -> {type}\n    scf.yield %1 : {type}\n  }}"
    ),
}

_MADE = {
    _MEMREF: (
        "%p = memref.alloc() : memref<64xf32>\n  linalg.fill ins(%x : f32) outs(%p : memref<64xf32>)",
        "memref.dealloc %p : memref<64xf32>",
    ),
    _POINTER: (
        "%p = llvm.call @malloc(%size) : (i64) -> !llvm.ptr\n  llvm.store %x, %p : f32, !llvm.ptr",
        "llvm.call @free(%p) : (!llvm.ptr) -> ()",
    ),
}


def program(call: str, given: str, type_: str) -> str:
    """A program that uses what a call gives right before what was passed is freed."""
    made, freed = _MADE[given]
    return f"""\
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
func.func private @work(f32)
func.func private @first(tuple<memref<64xf32>, i32>) -> f32
func.func private @of_handle(!my.handle) -> f32
func.func private @get({given}) -> {type_}
func.func private @again({type_}) -> {type_}
func.func private @wrapper(%a: {given}) -> {type_} {{
  %r = func.call @get(%a) : ({given}) -> {type_}
  return %r : {type_}
}}
func.func private @outer(%a: {given}) -> {type_} {{
  %r = func.call @wrapper(%a) : ({given}) -> {type_}
  return %r : {type_}
}}
func.func @f(%f: ({given}) -> {type_}, %c: i1, %x: f32, %size: i64) -> f32 {{
  %c0 = arith.constant 0 : index
  {made}
  {_CALLS[call].format(given=given, type=type_)}
  func.call @work(%x) : (f32) -> ()
  {_USES[type_].format(q="%q")}
  {freed}
  return %u : f32
}}
"""


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_program(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert fix_all(source) == source


@pytest.mark.slow
@pytest.mark.parametrize("call", _CALLS)
@pytest.mark.parametrize("given", _MADE)
def test_what_a_result_may_point_to_is_held(call: str, given: str) -> None:
    for type_ in _USES:
        source = program(call, given, type_)
        assert fix_all(source) == source


@pytest.mark.parametrize("results", ["", " -> f32", " -> i32", " -> (f32, i1)"])
def test_what_is_lent_is_freed_early(results: str) -> None:
    """By the rules for function boundaries a function that gives nothing that could be an address has borrowed."""
    names = {"": "", " -> (f32, i1)": "%r:2 = "}.get(results, "%r = ")
    source = f"""\
func.func private @work(f32)
func.func private @use(memref<64xf32>){results}
func.func @f(%x: f32) {{
  %p = memref.alloc() : memref<64xf32>
  {names}call @use(%p) : (memref<64xf32>){results or " -> ()"}
  call @work(%x) : (f32) -> ()
  memref.dealloc %p : memref<64xf32>
  return
}}
"""
    lines = fix_all(source).splitlines()
    assert "dealloc" in lines[5]
    assert "@work" in lines[6]


@pytest.mark.parametrize(
    ("passed", "described"),
    [
        ("llvm.call @use(%a) : (!llvm.ptr) -> ()", "read = [0]"),
        ("llvm.call @use(%a, %a, %n, %n, %n) : (!llvm.ptr, !llvm.ptr, i64, i64, i64) -> ()", ""),
    ],
    ids=["described", "lowered memref"],
)
def test_pointers_that_are_lent(passed: str, described: str, tmp_path: Path) -> None:
    """Nothing keeps them: the description says so, or the rules for function boundaries, of memrefs."""
    source = f"""\
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @run()
llvm.func @use{passed.partition(" : ")[2].partition(" ->")[0]}
llvm.func @f() {{
  %n = llvm.mlir.constant(64 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  {passed}
  llvm.call @run() : () -> ()
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}}
"""
    settings = tmp_path / "memlane.toml"
    settings.write_text(f"[function.use]\n{described}\n" if described else "", encoding="utf-8")
    config, _ = load_config(settings)
    lines = fix_all(source, config).splitlines()
    assert "@free" in lines[8]
    assert "@run" in lines[9]


SPARSE = """\
#CSR = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>
#SV = #sparse_tensor.encoding<{map = (d0) -> (d0 : compressed)}>
#el = { indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->(i)>], iterator_types = ["parallel"] }
func.func private @work(f64)
func.func @scale(%a: tensor<16xf64, #SV>) -> tensor<16xf64, #SV> {
  %e = tensor.empty() : tensor<16xf64, #SV>
  %k = arith.constant 2.0 : f64
  %0 = linalg.generic #el ins(%a : tensor<16xf64, #SV>) outs(%e : tensor<16xf64, #SV>) {
  ^bb0(%x: f64, %y: f64):
    %m = arith.mulf %x, %k : f64
    linalg.yield %m : f64
  } -> tensor<16xf64, #SV>
  return %0 : tensor<16xf64, #SV>
}
func.func @first(%d: tensor<8x8xf64>) -> f64 {
  %s = sparse_tensor.convert %d : tensor<8x8xf64> to tensor<8x8xf64, #CSR>
  %c0 = arith.constant 0 : index
  %p = sparse_tensor.positions %s {level = 1 : index} : tensor<8x8xf64, #CSR> to memref<?xindex>
  %c = sparse_tensor.coordinates %s {level = 1 : index} : tensor<8x8xf64, #CSR> to memref<?xindex>
  %v = sparse_tensor.values %s : tensor<8x8xf64, #CSR> to memref<?xf64>
  %i = memref.load %p[%c0] : memref<?xindex>
  %j = memref.load %c[%i] : memref<?xindex>
  %x = memref.load %v[%j] : memref<?xf64>
  bufferization.dealloc_tensor %s : tensor<8x8xf64, #CSR>
  return %x : f64
}
func.func @read(%f: !llvm.ptr) -> index {
  %s = sparse_tensor.new %f : !llvm.ptr to tensor<?x?xf64, #CSR>
  %n = sparse_tensor.number_of_entries %s : tensor<?x?xf64, #CSR>
  bufferization.dealloc_tensor %s : tensor<?x?xf64, #CSR>
  return %n : index
}
func.func @write(%a: tensor<8x8xf64, #CSR>, %f: !llvm.ptr) {
  sparse_tensor.out %a, %f : tensor<8x8xf64, #CSR>, !llvm.ptr
  return
}
"""


@pytest.mark.slow
@pytest.mark.skipif(OPT is None, reason="mlir-opt-22 is not installed")
@pytest.mark.parametrize("after", ["", "sparse-tensor-conversion"])
def test_sparse_tensors_in_a_runtime_library(after: str) -> None:
    """Lowered to calls, and to LLVM: nothing is wrong with it, and nothing is repaired."""
    assert OPT is not None
    command = [OPT, "-", "--sparsifier=enable-runtime-library=true"]
    command += [f"--mlir-print-ir-after={after}", "-o", "/dev/null"] if after else []
    done = subprocess.run(command, input=SPARSE, capture_output=True, text=True, check=True)
    source = done.stderr.partition("//----- //\n")[2] if after else done.stdout
    grave = [f for f in check(source).findings if f.severity in (Severity.ERROR, Severity.WARNING)]
    assert [finding.report.message for finding in grave] == []
    assert fix_all(source) == source


def test_what_is_in_a_container_of_the_caller_is_not_taken_out() -> None:
    """Of two frees one is wrong; whether the other is, too, is for the caller to say."""
    source = (
        "func.func @f(%box: memref<1xmemref<4xf32>>) {\n"
        "  %c0 = arith.constant 0 : index\n"
        "  %m = memref.load %box[%c0] : memref<1xmemref<4xf32>>\n"
        "  memref.dealloc %m : memref<4xf32>\n"
        "  memref.dealloc %m : memref<4xf32>\n"
        "  return\n}\n"
    )
    assert "memref.dealloc %m" in fix_all(source)
