// Right as it stands: each round makes a buffer and frees it. `mlir-opt --buffer-loop-hoisting` moves the allocation
// in front of the loop, leaves the deallocation where it is, and is content.
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rounds = arith.constant 4 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %result = scf.for %round = %c0 to %rounds step %c1 iter_args(%total = %zero) -> (i32) {
    %scratch = memref.alloc() : memref<64xi32>
    memref.store %one, %scratch[%round] : memref<64xi32>
    %read = memref.load %scratch[%round] : memref<64xi32>
    memref.dealloc %scratch : memref<64xi32>
    %next = arith.addi %total, %read : i32
    scf.yield %next : i32
  }
  return %result : i32
}
