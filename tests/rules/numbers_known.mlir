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

// In any order, however many.
func.func @parity_in_another_order(%x: f32, %f0: i1, %f1: i1, %f2: i1, %f3: i1, %f4: i1, %f5: i1, %f6: i1, %f7: i1, %f8: i1, %f9: i1, %f10: i1, %f11: i1, %f12: i1, %f13: i1) {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %m = memref.alloc() : memref<4xf32>
  memref.store %x, %m[%c0] : memref<4xf32>
  %o0 = arith.xori %f0, %f1 : i1
  %o1 = arith.xori %o0, %f2 : i1
  %o2 = arith.xori %o1, %f3 : i1
  %o3 = arith.xori %o2, %f4 : i1
  %o4 = arith.xori %o3, %f5 : i1
  %o5 = arith.xori %o4, %f6 : i1
  %o6 = arith.xori %o5, %f7 : i1
  %o7 = arith.xori %o6, %f8 : i1
  %o8 = arith.xori %o7, %f9 : i1
  %o9 = arith.xori %o8, %f10 : i1
  %o10 = arith.xori %o9, %f11 : i1
  %o11 = arith.xori %o10, %f12 : i1
  %o12 = arith.xori %o11, %f13 : i1
  scf.if %o12 {
    memref.dealloc %m : memref<4xf32>  // expected-warning [late-free] {{%m}}
  }
  %p0 = arith.xori %true, %f11 : i1
  %p1 = arith.xori %p0, %f12 : i1
  %p2 = arith.xori %p1, %f6 : i1
  %p3 = arith.xori %p2, %f10 : i1
  %p4 = arith.xori %p3, %f13 : i1
  %p5 = arith.xori %p4, %f0 : i1
  %p6 = arith.xori %p5, %f4 : i1
  %p7 = arith.xori %p6, %f1 : i1
  %p8 = arith.xori %p7, %f7 : i1
  %p9 = arith.xori %p8, %f5 : i1
  %p10 = arith.xori %p9, %f2 : i1
  %p11 = arith.xori %p10, %f8 : i1
  %p12 = arith.xori %p11, %f9 : i1
  %p13 = arith.xori %p12, %f3 : i1
  scf.if %p13 {
    memref.dealloc %m : memref<4xf32>  // expected-warning [late-free] {{%m}}
  }
  return
}
