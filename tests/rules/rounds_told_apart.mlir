// In which round of a loop something happens: by its counter, whatever its bounds.

func.func @far_in_many_rounds(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c700 = arith.constant 700 : index
  %c1000 = arith.constant 1000 : index
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %c1000 step %c1 {
    %last = arith.cmpi eq, %i, %c700 : index
    %more = arith.cmpi slt, %i, %c700 : index
    scf.if %more {
      memref.store %x, %a[%c0] : memref<4xf32>
    }
    scf.if %last {
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}

// The counter steps past the number.
func.func @past_it(%x: f32) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c700 = arith.constant 700 : index
  %c1000 = arith.constant 1000 : index
  // expected-warning @below [leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %c1000 step %c3 {
    %last = arith.cmpi eq, %i, %c700 : index
    scf.if %last {
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}

func.func @used_after(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c700 = arith.constant 700 : index
  %c1000 = arith.constant 1000 : index
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %c1000 step %c1 {
    %more = arith.cmpi sle, %i, %c700 : index
    %last = arith.cmpi eq, %i, %c700 : index
    scf.if %last {
      memref.dealloc %a : memref<4xf32>
    }
    scf.if %more {
      // expected-error @below [use-after-free] {{%a}}
      memref.store %x, %a[%c0] : memref<4xf32>
    }
  }
  return
}

func.func @by_a_switch() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c90 = arith.constant 90 : index
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %c90 step %c1 {
    scf.index_switch %i
    case 40 {
      memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{%a}}
      scf.yield
    }
    default {
    }
  }
  return
}

// Both regions of a loop count its rounds.
func.func @while(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c30 = arith.constant 30 : index
  %c50 = arith.constant 50 : index
  %a = memref.alloc() : memref<4xf32>
  %r = scf.while (%i = %c0) : (index) -> index {
    %more = arith.cmpi slt, %i, %c50 : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %last = arith.cmpi eq, %i, %c30 : index
    scf.if %last {
      memref.store %x, %a[%c0] : memref<4xf32>
      memref.dealloc %a : memref<4xf32>
    }
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  return
}

func.func @blocks(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c30 = arith.constant 30 : index
  %c50 = arith.constant 50 : index
  %a = memref.alloc() : memref<4xf32>
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %c50 : index
  cf.cond_br %more, ^body, ^end
^body:
  %last = arith.cmpi eq, %i, %c30 : index
  cf.cond_br %last, ^free, ^next
^free:
  memref.store %x, %a[%c0] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  cf.br ^next
^next:
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^end:
  return
}

// What holds in each round.
func.func @below_its_bound(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.store %x, %a[%c0] : memref<4xf32>
    %inside = arith.cmpi slt, %i, %n : index
    scf.if %inside {
      memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{%a}}
    }
  }
  return
}

func.func @below_both(%n: index, %m: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) {
    %a = memref.alloc() : memref<4xf32>
    memref.store %x, %a[%c0] : memref<4xf32>
    %inside = arith.cmpi slt, %j, %m : index
    scf.if %inside {
      memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{%a}}
    }
    scf.reduce
  }
  return
}

func.func @above_another(%n: index, %m: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-warning @below [possible-leak] {{%a}}
    %a = memref.alloc() : memref<4xf32>
    %inside = arith.cmpi slt, %i, %m : index
    scf.if %inside {
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}

// Where the outer loop runs, the inner one does.
func.func @same_bound(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    scf.for %j = %c0 to %n step %c1 {
      // expected-warning @below [possible-double-free] {{%a}}
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}

func.func @last_round(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.subi %n, %c1 : index
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%c0] : memref<4xf32>
    %e = arith.cmpi eq, %i, %last : index
    scf.if %e {
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}

func.func @last_of_some(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.subi %n, %c1 : index
  %some = arith.cmpi sgt, %n, %c0 : index
  scf.if %some {
    %a = memref.alloc() : memref<4xf32>
    scf.for %i = %c0 to %n step %c1 {
      memref.store %x, %a[%c0] : memref<4xf32>
      %e = arith.cmpi eq, %i, %last : index
      scf.if %e {
        memref.dealloc %a : memref<4xf32>
      }
    }
  }
  return
}

// At most once: a counter is not the same number again.
func.func @a_given_round(%n: index, %k: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %e = arith.cmpi eq, %i, %k : index
    scf.if %e {
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}

func.func @a_given_round_of_blocks(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %last = arith.cmpi eq, %i, %k : index
  cf.cond_br %last, ^free, ^next
^free:
  memref.dealloc %a : memref<4xf32>
  cf.br ^next
^next:
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^end:
  return
}

// From some round on it is each.
func.func @from_a_round_on(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %e = arith.cmpi sge, %i, %k : index
    scf.if %e {
      // expected-warning @below [possible-double-free] {{%a}}
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}

// The way to a loop is taken under a condition that holds in all its rounds.
func.func @behind_a_branch(%p: i1, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.cond_br %p, ^loop, ^end
^loop:
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.store %x, %a[%c0] : memref<4xf32>
    scf.if %p {
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
^end:
  return
}

func.func @behind_two(%p: i1, %q: i1, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.cond_br %p, ^some, ^end
^some:
  cf.cond_br %q, ^left, ^right
^left:
  cf.br ^loop
^right:
  cf.br ^loop
^loop:
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.store %x, %a[%c0] : memref<4xf32>
    scf.if %p {
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
^end:
  return
}

func.func @either_way(%p: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.cond_br %p, ^loop, ^more
^more:
  cf.br ^loop
^loop:
  scf.for %i = %c0 to %n step %c1 {
    // expected-warning @below [possible-leak] {{%a}}
    %a = memref.alloc() : memref<4xf32>
    scf.if %p {
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}

// A narrow counter wraps, and comes to the same number again.
func.func @wraps(%go: memref<1xi1>, %k: i8) {
  %c0 = arith.constant 0 : index
  %first = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  cf.br ^head(%first : i8)
^head(%i: i8):
  %e = arith.cmpi eq, %i, %k : i8
  cf.cond_br %e, ^free, ^next
^free:
  // expected-warning @below [possible-double-free] {{%a}}
  memref.dealloc %a : memref<4xf32>
  cf.br ^next
^next:
  %j = arith.addi %i, %one : i8
  %more = memref.load %go[%c0] : memref<1xi1>
  cf.cond_br %more, ^head(%j : i8), ^end
^end:
  return
}
