// In code that never runs no deallocation is late, whatever says that it does not run: constants, the bounds of a loop,
// a condition that was passed before, what a loop begins with. Uses and deallocations in such code make no live buffer
// late, nor keep one.

func.func private @use(memref<4xi64>)
func.func private @work()

func.func @loop_by_condition(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %some = arith.cmpi ne, %n, %c0 : index
  scf.if %some {
  } else {
    scf.for %i = %c0 to %n step %c1 {
      %d = memref.alloc() : memref<4xi64>
      func.call @use(%d) : (memref<4xi64>) -> ()
      func.call @work() : () -> ()
      memref.dealloc %d : memref<4xi64>
    }
  }
  return
}
func.func @loop_by_condition_lowered(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %some = arith.cmpi ne, %n, %c0 : index
  cf.cond_br %some, ^out, ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^out
^body:
  %d = memref.alloc() : memref<4xi64>
  func.call @use(%d) : (memref<4xi64>) -> ()
  func.call @work() : () -> ()
  memref.dealloc %d : memref<4xi64>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^out:
  return
}
func.func @in_rounds(%n: index) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  scf.for %i = %c1 to %n step %c1 {
    %first = arith.cmpi eq, %i, %c0 : index
    scf.if %first {
      %d = memref.alloc() : memref<4xi64>
      func.call @use(%d) : (memref<4xi64>) -> ()
      func.call @work() : () -> ()
      memref.dealloc %d : memref<4xi64>
    }
  }
  return
}
func.func @behind_no_bound(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %none = arith.cmpi sle, %n, %c0 : index
    scf.if %none {
      %d = memref.alloc() : memref<4xi64>
      func.call @use(%d) : (memref<4xi64>) -> ()
      func.call @work() : () -> ()
      memref.dealloc %d : memref<4xi64>
    }
  }
  return
}
func.func @lowered_loop_without_rounds() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %c0 : index
  cf.cond_br %more, ^body, ^out
^body:
  %d = memref.alloc() : memref<4xi64>
  func.call @use(%d) : (memref<4xi64>) -> ()
  func.call @work() : () -> ()
  memref.dealloc %d : memref<4xi64>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^out:
  return
}
func.func @while_without_rounds() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.while (%i = %c1) : (index) -> index {
    %more = arith.cmpi slt, %i, %c1 : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %d = memref.alloc() : memref<4xi64>
    func.call @use(%d) : (memref<4xi64>) -> ()
    func.call @work() : () -> ()
    memref.dealloc %d : memref<4xi64>
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  return
}
func.func @merged_number(%c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  cf.cond_br %c, ^merged(%c1 : index), ^merged(%c2 : index)
^merged(%i: index):
  %none = arith.cmpi eq, %i, %c0 : index
  cf.cond_br %none, ^never, ^out
^never:
  %d = memref.alloc() : memref<4xi64>
  func.call @use(%d) : (memref<4xi64>) -> ()
  func.call @work() : () -> ()
  memref.dealloc %d : memref<4xi64>
  cf.br ^out
^out:
  return
}

// The same, where it may run: in a later round, with a number of the other branch.

func.func @in_a_later_round(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %later = arith.cmpi sgt, %i, %c0 : index
  cf.cond_br %later, ^body, ^latch
^body:
  %d = memref.alloc() : memref<4xi64>
  func.call @use(%d) : (memref<4xi64>) -> ()
  func.call @work() : () -> ()
  // expected-warning @below [late-free] {{buffer %d of 32 bytes is held over 1 operation after its last use}}
  memref.dealloc %d : memref<4xi64>
  cf.br ^latch
^latch:
  %next = arith.addi %i, %c1 : index
  %more = arith.cmpi slt, %next, %n : index
  cf.cond_br %more, ^head(%next : index), ^out
^out:
  return
}
func.func @merged_with_it(%c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.cond_br %c, ^merged(%c1 : index), ^merged(%c0 : index)
^merged(%i: index):
  %none = arith.cmpi eq, %i, %c0 : index
  cf.cond_br %none, ^perhaps, ^out
^perhaps:
  %d = memref.alloc() : memref<4xi64>
  func.call @use(%d) : (memref<4xi64>) -> ()
  func.call @work() : () -> ()
  // expected-warning @below [late-free] {{buffer %d of 32 bytes is held over 1 operation after its last use}}
  memref.dealloc %d : memref<4xi64>
  cf.br ^out
^out:
  return
}
func.func @a_new_number_in_each_round(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^outer(%c0 : index)
^outer(%o: index):
  %go = arith.cmpi slt, %o, %n : index
  cf.cond_br %go, ^begin, ^out
^begin:
  cf.br ^head(%o : index)
^head(%i: index):
  %more = arith.cmpi slt, %c0, %i : index
  cf.cond_br %more, ^body, ^next
^body:
  %d = memref.alloc() : memref<4xi64>
  func.call @use(%d) : (memref<4xi64>) -> ()
  func.call @work() : () -> ()
  // expected-warning @below [late-free] {{buffer %d of 32 bytes is held over 1 operation after its last use}}
  memref.dealloc %d : memref<4xi64>
  %less = arith.subi %i, %c1 : index
  cf.br ^head(%less : index)
^next:
  %on = arith.addi %o, %c1 : index
  cf.br ^outer(%on : index)
^out:
  return
}

// Uses that never run make no buffer live.

func.func @used_in_no_round(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %some = arith.cmpi sgt, %n, %c0 : index
  %b = memref.alloc() : memref<4xi64>
  func.call @use(%b) : (memref<4xi64>) -> ()
  cf.cond_br %some, ^p, ^q
^p:
  memref.dealloc %b : memref<4xi64>
  return
^q:
  func.call @work() : () -> ()
  scf.for %i = %c0 to %n step %c1 {
    func.call @use(%b) : (memref<4xi64>) -> ()
  }
  // expected-warning @below [late-free] {{buffer %b of 32 bytes is held over 2 operations after its last use}}
  memref.dealloc %b : memref<4xi64>
  return
}
func.func @used_in_no_lowered_round() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<4xi64>
  func.call @use(%b) : (memref<4xi64>) -> ()
  func.call @work() : () -> ()
  cf.br ^head(%c1 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %c1 : index
  cf.cond_br %more, ^body, ^out
^body:
  func.call @use(%b) : (memref<4xi64>) -> ()
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^out:
  // expected-warning @below [late-free] {{buffer %b of 32 bytes is held over 2 operations after its last use}}
  memref.dealloc %b : memref<4xi64>
  return
}

// Nor do deallocations there free it.

func.func @freed_where_nothing_runs() {
  %no = arith.constant false
  %b = memref.alloc() : memref<4xi64>
  func.call @use(%b) : (memref<4xi64>) -> ()
  func.call @work() : () -> ()
  cf.cond_br %no, ^never, ^on
^never:
  memref.dealloc %b : memref<4xi64>
  cf.br ^on
^on:
  func.call @work() : () -> ()
  // expected-warning @below [late-free] {{buffer %b of 32 bytes is held over 2 operations after its last use}}
  memref.dealloc %b : memref<4xi64>
  return
}

// What is only handed on there is not what is freed.

func.func @made_where_nothing_runs(%n: index) {
  %c0 = arith.constant 0 : index
  %some = arith.cmpi ne, %n, %c0 : index
  cf.cond_br %some, ^out, ^go
^go:
  %more = arith.cmpi sgt, %n, %c0 : index
  cf.cond_br %more, ^never, ^on
^never:
  %a = memref.alloc() : memref<4xi64>
  func.call @use(%a) : (memref<4xi64>) -> ()
  cf.br ^merged(%a : memref<4xi64>)
^on:
  %b = memref.alloc() : memref<4xi64>
  func.call @use(%b) : (memref<4xi64>) -> ()
  cf.br ^merged(%b : memref<4xi64>)
^merged(%m: memref<4xi64>):
  func.call @work() : () -> ()
  // expected-warning @below [late-free] {{buffer %b of 32 bytes is held over 1 operation after its last use}}
  memref.dealloc %m : memref<4xi64>
  cf.br ^out
^out:
  return
}

// Other advice leaves such code out, too.

func.func @other_advice(%n: index, %out: memref<4xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %some = arith.cmpi ne, %n, %c0 : index
  scf.if %some {
  } else {
    scf.for %i = %c0 to %n step %c1 {
      %s = memref.alloca() : memref<4xi64>
      func.call @use(%s) : (memref<4xi64>) -> ()
      %u = memref.alloc() : memref<4xi64>
      memref.dealloc %u : memref<4xi64>
    }
  }
  return
}

// An index may be negative where the program asks that, also behind other questions.

func.func @below_zero(%n: index) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %few = arith.cmpi sle, %n, %c5 : index
  %b = memref.alloc() : memref<4xi64>
  func.call @use(%b) : (memref<4xi64>) -> ()
  func.call @work() : () -> ()
  scf.if %few {
    %below = arith.cmpi slt, %n, %c0 : index
    scf.if %below {
      // expected-warning @below [leak] {{buffer %a of 32 bytes is never freed}}
      %a = memref.alloc() : memref<4xi64>
      func.call @use(%b) : (memref<4xi64>) -> ()
    }
  }
  memref.dealloc %b : memref<4xi64>
  return
}
