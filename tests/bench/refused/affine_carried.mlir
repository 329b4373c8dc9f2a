// `affine.for` carries a buffer and makes a new one in each iteration.
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %init = memref.alloc() : memref<256xi32>
  linalg.fill ins(%zero : i32) outs(%init : memref<256xi32>)
  %r = affine.for %i = 0 to 5 iter_args(%m = %init) -> (memref<256xi32>) {
    %new = memref.alloc() : memref<256xi32>
    memref.copy %m, %new : memref<256xi32> to memref<256xi32>
    affine.yield %new : memref<256xi32>
  }
  %v = memref.load %r[%c0] : memref<256xi32>
  return %v : i32
}
