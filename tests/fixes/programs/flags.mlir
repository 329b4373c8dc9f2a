// Whose buffer it is depends on the way: free under the condition that is at hand.
func.func @owned_or_borrowed(%c: i1, %d: i1, %arg: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.if %c -> memref<8xf32> {
    %a = memref.alloc() : memref<8xf32>
    memref.copy %arg, %a : memref<8xf32> to memref<8xf32>
    scf.yield %a : memref<8xf32>
  } else {
    scf.yield %arg : memref<8xf32>
  }
  %v = memref.load %r[%c0] : memref<8xf32>
  %big = memref.alloc() : memref<64xf32>
  memref.store %v, %big[%c0] : memref<64xf32>
  return %v : f32
}

func.func @diamond(%c: i1, %arg: memref<8xf32>, %out: memref<8xf32>) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb3(%arg : memref<8xf32>)
^bb2:
  %0 = memref.alloc() : memref<8xf32>
  memref.copy %arg, %0 : memref<8xf32> to memref<8xf32>
  cf.br ^bb3(%0 : memref<8xf32>)
^bb3(%1: memref<8xf32>):
  memref.copy %1, %out : memref<8xf32> to memref<8xf32>
  return
}
