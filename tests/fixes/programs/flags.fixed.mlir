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
  scf.if %c {
    memref.dealloc %r : memref<8xf32>
  }
  %big = memref.alloc() : memref<64xf32>
  memref.store %v, %big[%c0] : memref<64xf32>
  memref.dealloc %big : memref<64xf32>
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
  %true = arith.constant true
  %c_not = arith.xori %c, %true : i1
  memref.copy %1, %out : memref<8xf32> to memref<8xf32>
  scf.if %c_not {
    memref.dealloc %1 : memref<8xf32>
  }
  return
}

func.func private @cond() -> i1

// One buffer goes two ways through a loop, and each way has a flag.
func.func @both_ways(%x: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %false = arith.constant false
  %r:2, %r_1_owned = scf.while (%m = %x, %n = %x, %m_owned = %false) : (memref<8xi64>, memref<8xi64>, i1) -> (memref<8xi64>, memref<8xi64>, i1) {
    %c = func.call @cond() : () -> i1
    scf.condition(%c) %x, %m, %m_owned : memref<8xi64>, memref<8xi64>, i1
  } do {
  ^bb0(%p: memref<8xi64>, %q: memref<8xi64>, %q_owned: i1):
    scf.if %q_owned {
      memref.dealloc %q : memref<8xi64>
    }
    %a = memref.alloc() : memref<8xi64>
    memref.copy %x, %a : memref<8xi64> to memref<8xi64>
    %true = arith.constant true
    scf.yield %a, %a, %true : memref<8xi64>, memref<8xi64>, i1
  }
  %v = memref.load %r#1[%c0] : memref<8xi64>
  scf.if %r_1_owned {
    memref.dealloc %r#1 : memref<8xi64>
  }
  memref.store %v, %x[%c0] : memref<8xi64>
  return
}
