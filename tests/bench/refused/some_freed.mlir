// Somebody has freed one of the buffers already.
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<256xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<256xi32>)
  %b = memref.alloc() : memref<256xi32>
  memref.copy %a, %b : memref<256xi32> to memref<256xi32>
  memref.dealloc %a : memref<256xi32>
  %v = memref.load %b[%c0] : memref<256xi32>
  return %v : i32
}
