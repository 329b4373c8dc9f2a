// One operation that nobody described, in a function with other buffers.
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<256xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<256xi32>)
  "npu.barrier"() ({
    "npu.done"() : () -> ()
  }) : () -> ()
  %v = memref.load %a[%c0] : memref<256xi32>
  return %v : i32
}
