// config: ignore=["late-free"]
// Flags that regions and blocks forward, and that are one constant whichever way control comes. Buffers that are made
// inside other regions behind them are followed from there on.

func.func @carried_and_never_changed(%c: i1, %n: index) {
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %owned = scf.for %i = %c0 to %n step %c1 iter_args(%flag = %true) -> (i1) {
    %again = scf.if %c -> (i1) {
      scf.yield %flag : i1
    } else {
      scf.yield %true : i1
    }
    scf.yield %again : i1
  }
  scf.if %c {
    %a = memref.alloc() : memref<8xf32>
    scf.if %owned {
      memref.dealloc %a : memref<8xf32>
    }
  }
  return
}

func.func @carried_and_changed(%c: i1, %n: index) {
  %true = arith.constant true
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %owned = scf.for %i = %c0 to %n step %c1 iter_args(%flag = %true) -> (i1) {
    scf.yield %false : i1
  }
  scf.if %c {
    // expected-warning @below [possible-leak] {{buffer %a of 32 bytes is not freed on some path}}
    %a = memref.alloc() : memref<8xf32>
    scf.if %owned {
      memref.dealloc %a : memref<8xf32>
    }
  }
  return
}

// A loop that does not run gives what it began with, one that runs what its rounds give.
func.func @rounds_are_known(%c: i1) {
  %true = arith.constant true
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %first = scf.for %i = %c0 to %c0 step %c1 iter_args(%flag = %true) -> (i1) {
    scf.yield %false : i1
  }
  %last = scf.for %i = %c0 to %c3 step %c1 iter_args(%flag = %false) -> (i1) {
    scf.yield %true : i1
  }
  scf.if %c {
    %a = memref.alloc() : memref<8xf32>
    %b = memref.alloc() : memref<8xf32>
    scf.if %first {
      memref.dealloc %a : memref<8xf32>
    }
    scf.if %last {
      memref.dealloc %b : memref<8xf32>
    }
  }
  return
}

func.func @of_two_branches(%c: i1, %d: i1) {
  %true = arith.constant true
  %false = arith.constant false
  %both = scf.if %c -> (i1) {
    scf.yield %true : i1
  } else {
    scf.yield %true : i1
  }
  %other = scf.if %c -> (i1) {
    scf.yield %true : i1
  } else {
    scf.yield %false : i1
  }
  scf.if %d {
    %a = memref.alloc() : memref<8xf32>
    // expected-warning @below [possible-leak] {{buffer %e of 32 bytes is not freed on some path}}
    %e = memref.alloc() : memref<8xf32>
    scf.if %both {
      memref.dealloc %a : memref<8xf32>
    }
    scf.if %other {
      memref.dealloc %e : memref<8xf32>
    }
  }
  return
}

func.func @of_blocks(%c: i1, %d: i1) {
  %true = arith.constant true
  %false = arith.constant false
  cf.cond_br %c, ^next(%true, %true : i1, i1), ^next(%true, %false : i1, i1)
^next(%owned: i1, %perhaps: i1):
  scf.if %d {
    %a = memref.alloc() : memref<8xf32>
    // expected-warning @below [possible-leak] {{buffer %b of 32 bytes is not freed on some path}}
    %b = memref.alloc() : memref<8xf32>
    scf.if %owned {
      memref.dealloc %a : memref<8xf32>
    }
    scf.if %perhaps {
      memref.dealloc %b : memref<8xf32>
    }
  }
  return
}

// What counts is no constant, and a loop of one round has only the first.
func.func @counters(%c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %zero = arith.cmpi eq, %i, %c0 : index
    scf.if %c {
      // expected-warning @below [possible-leak] {{buffer %a of 32 bytes is not freed on some path}}
      %a = memref.alloc() : memref<8xf32>
      scf.if %zero {
        memref.dealloc %a : memref<8xf32>
      }
    }
  }
  %false = arith.constant false
  %true = arith.constant true
  scf.for %i = %c0 to %c1 step %c1 iter_args(%first = %true) -> (i1) {
    scf.if %c {
      %b = memref.alloc() : memref<8xf32>
      scf.if %first {
        memref.dealloc %b : memref<8xf32>
      }
    }
    scf.yield %false : i1
  }
  return
}
