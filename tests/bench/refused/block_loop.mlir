// A loop of blocks: ownership-based deallocation refuses control flow with loops that are not structured.
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0 : i32
  %init = memref.alloc() : memref<256xi32>
  linalg.fill ins(%zero : i32) outs(%init : memref<256xi32>)
  cf.br ^head(%c0, %init : index, memref<256xi32>)
^head(%i: index, %m: memref<256xi32>):
  %more = arith.cmpi slt, %i, %c5 : index
  cf.cond_br %more, ^body, ^done
^body:
  %new = memref.alloc() : memref<256xi32>
  memref.copy %m, %new : memref<256xi32> to memref<256xi32>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next, %new : index, memref<256xi32>)
^done:
  %v = memref.load %m[%c0] : memref<256xi32>
  return %v : i32
}
