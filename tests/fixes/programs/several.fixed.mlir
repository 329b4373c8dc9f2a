// Whose a buffer is depends on more than any condition at hand: through several merges, only where it is needed.
func.func private @cond() -> i1
func.func @several(%x: memref<8xf32>, %p: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %w, %w_owned = scf.while (%m = %x, %m_owned = %false) : (memref<8xf32>, i1) -> (memref<8xf32>, i1) {
    %q = func.call @cond() : () -> i1
    scf.condition(%q) %m, %m_owned : memref<8xf32>, i1
  } do {
  ^bb0(%m: memref<8xf32>, %m_owned_0: i1):
    %a = memref.alloc() : memref<8xf32>
    memref.copy %m, %a : memref<8xf32> to memref<8xf32>
    scf.if %m_owned_0 {
      memref.dealloc %m : memref<8xf32>
    }
    scf.yield %a, %true : memref<8xf32>, i1
  }
  %r, %r_owned = scf.for %i = %c0 to %n step %c1 iter_args(%k = %w, %k_owned = %false) -> (memref<8xf32>, i1) {
    %q = func.call @cond() : () -> i1
    %s = scf.if %q -> (memref<8xf32>) {
      scf.yield %w : memref<8xf32>
    } else {
      scf.yield %k : memref<8xf32>
    }
    scf.if %k_owned {
      scf.if %q {
        memref.dealloc %k : memref<8xf32>
      }
    }
    %t, %t_owned = scf.if %p -> (memref<8xf32>, i1) {
      %b = memref.alloc() : memref<8xf32>
      %q_not = arith.xori %q, %true : i1
      memref.copy %s, %b : memref<8xf32> to memref<8xf32>
      scf.if %k_owned {
        scf.if %q_not {
          memref.dealloc %s : memref<8xf32>
        }
      }
      scf.yield %b, %true : memref<8xf32>, i1
    } else {
      scf.yield %s, %false : memref<8xf32>, i1
    }
    scf.yield %t, %t_owned : memref<8xf32>, i1
  }
  scf.if %w_owned {
    scf.if %r_owned {
      memref.dealloc %w : memref<8xf32>
    }
  }
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  scf.if %w_owned {
    memref.dealloc %r : memref<8xf32>
  } else {
    scf.if %r_owned {
      memref.dealloc %r : memref<8xf32>
    }
  }
  return
}
