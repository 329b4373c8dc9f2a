// Buffers that nobody frees, on every path that reaches them.

func.func @plain() {
  // expected-warning @below [leak] {{buffer %a of 16 bytes is never freed}}
  %a = memref.alloc() : memref<4xf32>
  return
}

func.func @freed() {
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}

// The result is the caller's.
func.func @returned() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}

func.func @caller() {
  // expected-warning @below [leak] {{%a}}
  %a = func.call @returned() : () -> memref<4xf32>
  return
}

func.func @caller_that_frees() {
  %a = func.call @returned() : () -> memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}

// A view keeps nothing alive; freeing through a cast frees the buffer.
func.func @freed_through_a_cast() {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.cast %a : memref<4xf32> to memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  return
}

// One buffer per iteration.
func.func @in_a_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-warning @below [leak] {{%a}}
    %a = memref.alloc() : memref<4xf32>
    scf.yield
  }
  return
}

func.func @freed_in_both_branches(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// A constant decides: the branch that would free is never taken.
func.func @a_branch_that_is_not_taken() {
  %false = arith.constant false
  // expected-warning @below [leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  scf.if %false {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
