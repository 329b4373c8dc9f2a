"""Programs that the tests of several methods ask about."""

from __future__ import annotations

from pathlib import Path

LEAKS = """\
module {
  // 😋 a function
  // that leaks
  func.func @leaks(%n: index) {
    %lost = memref.alloc(%n) : memref<?xf32>
    %zero = arith.constant 0.0 : f32
    "😋.use"(%zero) : (f32) -> () linalg.fill ins(%zero : f32) outs(%lost : memref<?xf32>)
    return
  }
  func.func @calls(%n: index) {
    call @leaks(%n) : (index) -> ()
    return
  }
}
"""

CALLS = """\
func.func @main(%n: index, %c: i1) {
  %a = memref.alloc(%n) : memref<?xf32>
  %v = memref.subview %a[0] [4] [1] : memref<?xf32> to memref<4xf32>
  %w = memref.cast %v : memref<4xf32> to memref<?xf32>
  %r = call @make(%n, %c) : (index, i1) -> memref<?xf32>
  %s = scf.if %c -> memref<?xf32> {
    scf.yield %r : memref<?xf32>
  } else {
    scf.yield %w : memref<?xf32>
  }
  call @drop(%a) : (memref<?xf32>) -> ()
  call @drop(%r) : (memref<?xf32>) -> () loc("dir/model.py":12:7)
  return
}
func.func private @make(%n: index, %c: i1) -> memref<?xf32> {
  %0 = memref.alloc(%n) : memref<?xf32>
  return %0 : memref<?xf32>
}
func.func private @drop(%m: memref<?xf32>) {
  call @really(%m) : (memref<?xf32>) -> ()
  return
}
func.func private @really(%m: memref<?xf32>) {
  memref.dealloc %m : memref<?xf32>
  return
}
#loc = loc(fused["-":1:2, callsite("x"("/abs/other.py":3:1) at unknown)])
"""

LATE = """\
func.func @nothing(%x: f32) -> f32 {
  return %x : f32
}
func.func @late(%n: index) {
  %a = memref.alloc() : memref<1024xf32>
  %v = memref.load %a[%n] : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  memref.store %v, %b[%n] : memref<1024xf32>
  memref.dealloc %a : memref<1024xf32>
  memref.dealloc %b : memref<1024xf32>
  return
}
func.func @leaks(%c: i1, %x: memref<4xf32>) {
  %lost = memref.alloc() : memref<4xf32>
  %one = arith.select %c, %lost, %x : memref<4xf32>
  memref.copy %one, %x : memref<4xf32> to memref<4xf32>
  return
}
"""

FATES = """\
// 😋
func.func @f(%x: memref<16xf32>, %c: i1, %n: index) -> memref<4xf32> {
  %held = memref.alloc() : memref<16xf32>
  memref.copy %x, %held : memref<16xf32> to memref<16xf32>
  %lost = memref.alloc(%n) : memref<?xf32>
  %some = memref.alloc() : memref<8xf32>
  scf.if %c {
    memref.dealloc %some : memref<8xf32>
  } else {
    %v = memref.load %held[%n] : memref<16xf32>
    memref.store %v, %lost[%n] : memref<?xf32>
  }
  %view = memref.cast %held : memref<16xf32> to memref<?xf32>
  "x.nothing"() : () -> ()
  memref.dealloc %held : memref<16xf32>
  %out = memref.alloc() : memref<4xf32> loc("model.py":3:1)
  return %out : memref<4xf32>
}
func.func @g() {
  return
}
"""

LOCATED = """\
#shared = loc("lib/shared.py":7:3)
func.func @f() {
  %a = memref.alloc() : memref<4xf32> loc("model.py":12:5)
  %b = memref.alloc() : memref<8xf32> loc(#shared)
  %c = memref.alloc() : memref<2xf32> loc("../outside.py":3:1)
  return
}
"""


def located(path: Path) -> Path:
    """Makes a folder for `LOCATED`, with the files that it names, and one of these outside of it."""
    folder = path / "w"
    (folder / "lib").mkdir(parents=True)
    for name in ("model.py", "lib/shared.py", "../outside.py"):
        (folder / name).write_text("pass\n")
    return folder


OWN_OP = """\
func.func @leaks() {
  %a = my.alloc : memref<4xf32>
  return
}
"""
"""Nothing leaks in it before a configuration says what its operation does, as this one does."""
OWN_MODEL = """\
[op."my.alloc"]
alloc = [{ result = 0 }]
"""


def put(path: Path, text: str) -> None:
    """Write a file at once: a server that looks at it meanwhile sees the old text or the new one, never a part."""
    new = path.with_suffix(".new")
    new.write_text(text)
    new.replace(path)


LEAK = "func.func @f(%n: index) {\n  %a = memref.alloc(%n) : memref<?xf32>\n  return\n}\n"
LARGE = LEAK + "// " + "x" * 1_000_000 + "\n"
TOO_LARGE = "not analysed: 1.0 MB are more than the 1 MB of the setting `sizeLimit`"
"""What is said of `LARGE` where that is so."""
