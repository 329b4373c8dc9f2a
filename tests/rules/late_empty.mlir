// Operations with regions, and branches, in which nothing stands are no work: a deallocation behind them is late for what
// else runs before it, and for nothing else.

func.func private @use(memref<4xi64>)
func.func private @work()

func.func @no_work(%q: i1, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<4xi64>
  func.call @use(%b) : (memref<4xi64>) -> ()
  scf.if %q {
  }
  scf.if %q {
    scf.yield
  } else {
    %c2 = arith.constant 2 : index
    scf.if %q {
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
    }
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.reduce
  }
  scf.forall (%i) in (%n) {
  }
  affine.for %i = 0 to 4 {
  }
  affine.if affine_set<(d0): (d0 - 1 >= 0)>(%n) {
  }
  memref.alloca_scope {
  }
  scf.execute_region {
    cf.br ^next
  ^next:
    scf.yield
  }
  scf.while : () -> () {
    scf.condition(%q)
  } do {
    scf.yield
  }
  scf.index_switch %k
  case 2 {
    scf.yield
  }
  default {
    scf.yield
  }
  memref.dealloc %b : memref<4xi64>
  return
}
func.func @no_work_in_blocks(%q: i1, %r: i32) {
  %b = memref.alloc() : memref<4xi64>
  func.call @use(%b) : (memref<4xi64>) -> ()
  cf.br ^next
^next:
  cf.cond_br %q, ^then, ^on
^then:
  %c2 = arith.constant 2 : index
  cf.br ^on
^on:
  cf.switch %r : i32, [default: ^last, 1: ^one, 2: ^two]
^one:
  cf.br ^last
^two:
  cf.br ^last
^last:
  memref.dealloc %b : memref<4xi64>
  return
}

// Work before them, or behind them.

func.func @work_before(%q: i1) {
  %b = memref.alloc() : memref<4xi64>
  func.call @use(%b) : (memref<4xi64>) -> ()
  func.call @work() : () -> ()
  scf.if %q {
  }
  // expected-warning @below [late-free] {{held over 1 operation after its last use}}
  memref.dealloc %b : memref<4xi64>
  return
}
func.func @work_before_a_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<4xi64>
  func.call @use(%b) : (memref<4xi64>) -> ()
  func.call @work() : () -> ()
  scf.for %i = %c0 to %n step %c1 {
  }
  // expected-warning @below [late-free] {{held over 1 operation after its last use}}
  memref.dealloc %b : memref<4xi64>
  return
}
func.func @work_before_others(%n: index) {
  %b = memref.alloc() : memref<4xi64>
  func.call @use(%b) : (memref<4xi64>) -> ()
  func.call @work() : () -> ()
  affine.if affine_set<(d0): (d0 - 1 >= 0)>(%n) {
  }
  memref.alloca_scope {
  }
  affine.for %i = 0 to 4 {
  }
  // expected-warning @below [late-free] {{held over 1 operation after its last use}}
  memref.dealloc %b : memref<4xi64>
  return
}
func.func @work_behind(%q: i1) {
  %b = memref.alloc() : memref<4xi64>
  func.call @use(%b) : (memref<4xi64>) -> ()
  scf.if %q {
  }
  func.call @work() : () -> ()
  // expected-warning @below [late-free] {{held over 1 operation after its last use}}
  memref.dealloc %b : memref<4xi64>
  return
}
func.func @work_before_blocks(%q: i1) {
  %b = memref.alloc() : memref<4xi64>
  func.call @use(%b) : (memref<4xi64>) -> ()
  func.call @work() : () -> ()
  cf.cond_br %q, ^then, ^on
^then:
  cf.br ^on
^on:
  // expected-warning @below [late-free] {{held over 1 operation after its last use}}
  memref.dealloc %b : memref<4xi64>
  return
}

// What is work: something stands in them, or they choose a value.

func.func @work_inside(%q: i1) {
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  func.call @use(%a) : (memref<4xi64>) -> ()
  func.call @use(%b) : (memref<4xi64>) -> ()
  scf.if %q {
    scf.if %q {
      func.call @work() : () -> ()
    }
  }
  // expected-warning @below [late-free] {{held over 1 operation after its last use}}
  memref.dealloc %b : memref<4xi64>
  // expected-warning @below [late-free] {{held over 2 operations after its last use}}
  memref.dealloc %a : memref<4xi64>
  return
}
func.func @choice(%q: i1, %x: i64, %y: i64) -> i64 {
  %b = memref.alloc() : memref<4xi64>
  func.call @use(%b) : (memref<4xi64>) -> ()
  %r = scf.if %q -> i64 {
    scf.yield %x : i64
  } else {
    scf.yield %y : i64
  }
  // expected-warning @below [late-free] {{held over 1 operation after its last use}}
  memref.dealloc %b : memref<4xi64>
  return %r : i64
}
func.func @choice_in_blocks(%q: i1, %x: i64, %y: i64) -> i64 {
  %b = memref.alloc() : memref<4xi64>
  func.call @use(%b) : (memref<4xi64>) -> ()
  cf.cond_br %q, ^then, ^on(%x : i64)
^then:
  cf.br ^on(%y : i64)
^on(%r: i64):
  // expected-warning @below [late-free] {{held over 1 operation after its last use}}
  memref.dealloc %b : memref<4xi64>
  return %r : i64
}
func.func @filled(%q: i1, %a: memref<4xi64>, %z: i64) {
  %b = memref.alloc() : memref<4xi64>
  func.call @use(%b) : (memref<4xi64>) -> ()
  linalg.fill ins(%z : i64) outs(%a : memref<4xi64>)
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a : memref<4xi64>) {
  ^bb0(%o: i64):
    linalg.yield %z : i64
  }
  // expected-warning @below [late-free] {{held over 2 operations after its last use}}
  memref.dealloc %b : memref<4xi64>
  return
}
