// What is known of numbers by how they are computed, and by what was asserted.

func.func @smaller_of_two(%n: i32) {
  %c4 = arith.constant 4 : i32
  // expected-warning @below [leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  %m = arith.minsi %n, %c4 : i32
  %above = arith.cmpi sgt, %m, %c4 : i32
  scf.if %above {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

func.func @sum(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %j = arith.addi %n, %c1 : index
  %one = arith.cmpi slt, %n, %c5 : index
  %other = arith.cmpi sge, %j, %c6 : index
  scf.if %one {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{%a}}
  }
  scf.if %other {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{%a}}
  }
  return
}

// In 32 bits a sum may wrap.
func.func @wraps(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  %j = arith.addi %n, %c1 : i32
  %one = arith.cmpi sge, %n, %c0 : i32
  %wrapped = arith.cmpi slt, %j, %c0 : i32
  %both = arith.andi %one, %wrapped : i1
  scf.if %both {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

func.func @dimension(%m: memref<?x?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %d1 = memref.dim %m, %c1 : memref<?x?xf32>
  %d2 = memref.dim %m, %c1 : memref<?x?xf32>
  %e1 = arith.cmpi eq, %d1, %c0 : index
  %e2 = arith.cmpi ne, %d2, %c0 : index
  scf.if %e1 {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{%a}}
  }
  scf.if %e2 {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{%a}}
  }
  return
}

func.func @other_dimension(%m: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  %d1 = memref.dim %m, %c0 : memref<?x?xf32>
  %d2 = memref.dim %m, %c1 : memref<?x?xf32>
  %e1 = arith.cmpi eq, %d1, %c0 : index
  %e2 = arith.cmpi ne, %d2, %c0 : index
  scf.if %e1 {
    memref.dealloc %a : memref<4xf32>
  }
  scf.if %e2 {
    // expected-warning @below [possible-double-free] {{%a}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// A size is never below zero.
func.func @never_negative(%m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  // expected-warning @below [leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  %d = memref.dim %m, %c0 : memref<?xf32>
  %below = arith.cmpi slt, %d, %c0 : index
  scf.if %below {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// What a private function frees by a dimension of what it is passed, its caller frees otherwise.
func.func private @if_empty(%a: memref<4xf32>, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %d = memref.dim %m, %c0 : memref<?xf32>
  %empty = arith.cmpi eq, %d, %c0 : index
  scf.if %empty {
    // expected-remark @below [argument-free] {{%a}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}
func.func @asked_in_both(%m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  call @if_empty(%a, %m) : (memref<4xf32>, memref<?xf32>) -> ()
  %d = memref.dim %m, %c0 : memref<?xf32>
  %some = arith.cmpi ne, %d, %c0 : index
  scf.if %some {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

func.func @asserted_range(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %ok = arith.cmpi ult, %n, %c2 : index
  cf.assert %ok, "one of two"
  scf.index_switch %n
  case 0 {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{%a}}
    scf.yield
  }
  case 1 {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{%a}}
    scf.yield
  }
  default {
  }
  return
}

func.func @asserted_too_little(%n: index) {
  %c3 = arith.constant 3 : index
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  %ok = arith.cmpi ult, %n, %c3 : index
  cf.assert %ok, "one of three"
  scf.index_switch %n
  case 0 {
    memref.dealloc %a : memref<4xf32>
    scf.yield
  }
  case 1 {
    memref.dealloc %a : memref<4xf32>
    scf.yield
  }
  default {
  }
  return
}

// In any order.
func.func @parity_in_another_order(%a: i1, %b: i1, %c: i1, %d: i1, %e: i1, %f: i1, %x: f32) {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %m = memref.alloc() : memref<4xf32>
  memref.store %x, %m[%c0] : memref<4xf32>
  %0 = arith.xori %a, %b : i1
  %1 = arith.xori %0, %c : i1
  %2 = arith.xori %1, %d : i1
  %3 = arith.xori %2, %e : i1
  %4 = arith.xori %3, %f : i1
  scf.if %4 {
    memref.dealloc %m : memref<4xf32>  // expected-warning [late-free] {{%m}}
  }
  %5 = arith.xori %f, %c : i1
  %6 = arith.xori %5, %a : i1
  %7 = arith.xori %6, %true : i1
  %8 = arith.xori %7, %e : i1
  %9 = arith.xori %8, %b : i1
  %10 = arith.xori %9, %d : i1
  scf.if %10 {
    memref.dealloc %m : memref<4xf32>  // expected-warning [late-free] {{%m}}
  }
  return
}
