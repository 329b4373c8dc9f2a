"""Programs that the tests of several methods ask about."""

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
