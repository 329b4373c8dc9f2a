// Memory that is freed twice.

func.func @twice() {
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  // expected-error @below [double-free] {{%a}}
  memref.dealloc %a : memref<4xf32>
  return
}

func.func @through_a_cast() {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.cast %a : memref<4xf32> to memref<?xf32>
  memref.dealloc %a : memref<4xf32>
  // expected-error @below [double-free] {{%b}}
  memref.dealloc %b : memref<?xf32>
  return
}

func.func @on_some_path(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  // expected-warning @below [possible-double-free] {{%a}}
  memref.dealloc %a : memref<4xf32>
  return
}

// What upstream's loop hoisting leaves behind: the allocation went out of the loop, the deallocation did not.
func.func @hoisted(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-error @below [use-after-free] {{%a}}
    memref.copy %x, %a : memref<4xf32> to memref<4xf32>
    // expected-error @below [double-free] {{%a}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// Nobody knows how often this one runs: no time, once, or again.
func.func @hoisted_out_of_any_loop(%x: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    // expected-warning @below [possible-use-after-free] {{%a}}
    memref.copy %x, %a : memref<4xf32> to memref<4xf32>
    // expected-warning @below [possible-double-free] {{%a}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}
