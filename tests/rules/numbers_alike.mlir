// Siblings of one kind: numbers that are the same, or whose bounds are known, however they are computed.

func.func @of_a_tensor(%m: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %d1 = tensor.dim %m, %c0 : tensor<?xf32>
  %d2 = tensor.dim %m, %c0 : tensor<?xf32>
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

func.func @of_an_allocation(%n: index) {
  %c0 = arith.constant 0 : index
  %m = memref.alloca(%n) : memref<?xf32>
  %a = memref.alloc() : memref<4xf32>
  %d1 = memref.dim %m, %c0 : memref<?xf32>
  %e1 = arith.cmpi eq, %d1, %c0 : index
  %e2 = arith.cmpi ne, %n, %c0 : index
  scf.if %e1 {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{%a}}
  }
  scf.if %e2 {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{%a}}
  }
  return
}

func.func @of_a_cast(%m0: memref<?xf32, strided<[1]>>) {
  %c0 = arith.constant 0 : index
  %m = memref.cast %m0 : memref<?xf32, strided<[1]>> to memref<?xf32>
  %a = memref.alloc() : memref<4xf32>
  %d1 = memref.dim %m, %c0 : memref<?xf32>
  %d2 = memref.dim %m0, %c0 : memref<?xf32, strided<[1]>>
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

func.func @divided_twice(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %d1 = arith.divui %n, %k : index
  %d2 = arith.divui %n, %k : index
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

// What reads a clock gives another number each time.
func.func @clock() {
  %c0 = arith.constant 0 : i32
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  %d1 = nvvm.read.ptx.sreg.clock : i32
  %d2 = nvvm.read.ptx.sreg.clock : i32
  %e1 = arith.cmpi slt, %d1, %c0 : i32
  %e2 = arith.cmpi slt, %d2, %c0 : i32
  scf.if %e1 {
    memref.dealloc %a : memref<4xf32>
  }
  scf.if %e2 {
    // expected-warning @below [possible-double-free] {{%a}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}

func.func @smaller_without_sign(%n: i32) {
  %c4 = arith.constant 4 : i32
  %a = memref.alloc() : memref<4xf32>
  %m = arith.minui %n, %c4 : i32
  %e2 = arith.cmpi ule, %m, %c4 : i32
  scf.if %e2 {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{%a}}
  }
  return
}

func.func @remainder(%n: i32) {
  %c4 = arith.constant 4 : i32
  %a = memref.alloc() : memref<4xf32>
  %m = arith.remui %n, %c4 : i32
  %e2 = arith.cmpi slt, %m, %c4 : i32
  scf.if %e2 {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{%a}}
  }
  return
}

func.func @remainder_with_sign(%n: i32) {
  %c4 = arith.constant 4 : i32
  %a = memref.alloc() : memref<4xf32>
  %m = arith.remsi %n, %c4 : i32
  %e2 = arith.cmpi slt, %m, %c4 : i32
  scf.if %e2 {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{%a}}
  }
  return
}

func.func @shifted(%n: i32) {
  %c4 = arith.constant 30 : i32
  %c44 = arith.constant 4 : i32
  %a = memref.alloc() : memref<4xf32>
  %m = arith.shrui %n, %c4 : i32
  %e2 = arith.cmpi slt, %m, %c44 : i32
  scf.if %e2 {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{%a}}
  }
  return
}

func.func @below_without_sign(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    %e = arith.cmpi ult, %i, %n : index
    scf.if %e {
      memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{%a}}
    }
  }
  return
}

func.func @the_next_one(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    %j = arith.addi %i, %c1 : index
    %e = arith.cmpi sle, %j, %n : index
    scf.if %e {
      memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{%a}}
    }
  }
  return
}

func.func @not_the_end(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    %e = arith.cmpi ne, %i, %n : index
    scf.if %e {
      memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{%a}}
    }
  }
  return
}

func.func @asserted_to_run(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %ok = arith.cmpi sgt, %n, %c0 : index
  cf.assert %ok, "some"
  scf.for %i = %c0 to %n step %c1 {
    %e = arith.cmpi eq, %i, %c0 : index
    scf.if %e {
      memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{%a}}
    }
  }
  return
}

func.func @asserted_case(%n: index) {
  %c0 = arith.constant 0 : i32
  %a = memref.alloc() : memref<4xf32>
  %k = arith.index_cast %n : index to i32
  %ok = arith.cmpi eq, %k, %c0 : i32
  cf.assert %ok, "some"
  cf.switch %k : i32, [
    default: ^bb1,
    0: ^bb2
  ]
^bb1:
  return
^bb2:
  memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{%a}}
  return
}

func.func @far_in_an_affine_loop(%n: index) {
  %a = memref.alloc() : memref<4xf32>
  affine.for %i = 0 to 100 {
    affine.if affine_set<(d0) : (d0 - 77 == 0)>(%i) {
      memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{%a}}
    }
  }
  return
}

func.func @in_an_affine_parallel(%n: index) {
  affine.parallel (%i) = (0) to (%n) {
    %a = memref.alloc() : memref<4xf32>
    affine.if affine_set<(d0)[s0] : (s0 - d0 - 1 >= 0)>(%i)[%n] {
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}

func.func @far_in_a_while() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 500 : index
  %c20 = arith.constant 300 : index
  %a = memref.alloc() : memref<4xf32>
  %r = scf.while (%i = %c0) : (index) -> index {
    %c = arith.cmpi slt, %i, %c2 : index
    scf.condition(%c) %i : index
  } do {
  ^bb0(%i: index):
    %e = arith.cmpi eq, %i, %c20 : index
    scf.if %e {
      memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{%a}}
    }
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  return
}

func.func @in_a_forall(%n: index) {
  scf.forall (%i) in (%n) {
    %a = memref.alloc() : memref<4xf32>
    %e = arith.cmpi slt, %i, %n : index
    scf.if %e {
      memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{%a}}
    }
  }
  return
}

func.func @behind_a_switch(%k: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : i32
  cf.switch %k : i32, [
    default: ^bb1,
    7: ^bb2
  ]
^bb2:
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    %e = arith.cmpi eq, %k, %c7 : i32
    scf.if %e {
      memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{%a}}
    }
  }
  return
^bb1:
  return
}

func.func @in_a_region_behind_a_branch(%p: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.cond_br %p, ^bb1, ^bb2
^bb1:
  scf.execute_region {
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.alloc() : memref<4xf32>
      scf.if %p {
        memref.dealloc %a : memref<4xf32>
      }
    }
    scf.yield
  }
  return
^bb2:
  return
}
