// config: ignore=["late-free"]
// Loads of one place give one value where nothing may have written there between.

// The other argument may be the same memory.
func.func @other_argument(%m: memref<1xi1>, %o: memref<1xi1>, %v: i1) {
  %c0 = arith.constant 0 : index
  // expected-warning @below [possible-leak] {{buffer %a of 16 bytes is not freed on some path}}
  %a = memref.alloc() : memref<4xf32>
  %p = memref.load %m[%c0] : memref<1xi1>
  scf.if %p {
    memref.dealloc %a : memref<4xf32>
  }
  memref.store %v, %o[%c0] : memref<1xi1>
  %q = memref.load %m[%c0] : memref<1xi1>
  scf.if %q {
  } else {
    // expected-warning @below [possible-double-free] {{the buffer of %a is freed a second time on some path}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}
func.func private @ext()

// Who is called may write it.
func.func @called(%m: memref<1xi1>) {
  %c0 = arith.constant 0 : index
  // expected-warning @below [possible-leak] {{buffer %a of 16 bytes is not freed on some path}}
  %a = memref.alloc() : memref<4xf32>
  %p = memref.load %m[%c0] : memref<1xi1>
  scf.if %p {
    memref.dealloc %a : memref<4xf32>
  }
  func.call @ext() : () -> ()
  %q = memref.load %m[%c0] : memref<1xi1>
  scf.if %q {
  } else {
    // expected-warning @below [possible-double-free] {{the buffer of %a is freed a second time on some path}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// Another place.
func.func @other_place(%m: memref<2xi1>, %v: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %p = memref.load %m[%c0] : memref<2xi1>
  scf.if %p {
    memref.dealloc %a : memref<4xf32>
  }
  memref.store %v, %m[%c1] : memref<2xi1>
  %q = memref.load %m[%c0] : memref<2xi1>
  scf.if %q {
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// Perhaps written.
func.func @in_branch(%m: memref<2xi1>, %v: i1, %w: i1) {
  %c0 = arith.constant 0 : index
  // expected-warning @below [possible-leak] {{buffer %a of 16 bytes is not freed on some path}}
  %a = memref.alloc() : memref<4xf32>
  %p = memref.load %m[%c0] : memref<2xi1>
  scf.if %p {
    memref.dealloc %a : memref<4xf32>
  }
  scf.if %w {
    memref.store %v, %m[%c0] : memref<2xi1>
  }
  %q = memref.load %m[%c0] : memref<2xi1>
  scf.if %q {
  } else {
    // expected-warning @below [possible-double-free] {{the buffer of %a is freed a second time on some path}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// Lowered: two pointers that are made in the same way.
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @cfg(%m: !llvm.ptr, %n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %g = llvm.getelementptr %m[3] : (!llvm.ptr) -> !llvm.ptr, i1
  %p = llvm.load %g : !llvm.ptr -> i1
  llvm.cond_br %p, ^bb1, ^bb2
^bb1:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^bb2
^bb2:
  %h = llvm.getelementptr %m[3] : (!llvm.ptr) -> !llvm.ptr, i1
  %q = llvm.load %h : !llvm.ptr -> i1
  llvm.cond_br %q, ^bb4, ^bb3
^bb3:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^bb4
^bb4:
  llvm.return
}

// Others may write it at any time.
llvm.func @volatile(%m: !llvm.ptr, %n: i64) {
  // expected-warning @below [possible-leak] {{buffer %a of %n bytes is not freed on some path}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %p = llvm.load volatile %m : !llvm.ptr -> i1
  llvm.cond_br %p, ^bb1, ^bb2
^bb1:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^bb2
^bb2:
  %q = llvm.load volatile %m : !llvm.ptr -> i1
  llvm.cond_br %q, ^bb4, ^bb3
^bb3:
  // expected-warning @below [possible-double-free] {{the buffer of %a is freed a second time on some path}}
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^bb4
^bb4:
  llvm.return
}

// Loaded before a loop, and in each round.
func.func @in_loop(%m: memref<1xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %p = memref.load %m[%c0] : memref<1xi32>
  %pc = arith.cmpi eq, %p, %z : i32
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    scf.if %pc {
      memref.dealloc %a : memref<4xf32>
    }
    %q = memref.load %m[%c0] : memref<1xi32>
    %qc = arith.cmpi ne, %q, %z : i32
    scf.if %qc {
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}

// The round before has written it.
func.func @in_storing_loop(%m: memref<1xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %p = memref.load %m[%c0] : memref<1xi32>
  %pc = arith.cmpi eq, %p, %z : i32
  scf.for %i = %c0 to %n step %c1 {
    // expected-warning @below [possible-leak] {{buffer %a of 16 bytes is not freed on some path}}
    %a = memref.alloc() : memref<4xf32>
    scf.if %pc {
      memref.dealloc %a : memref<4xf32>
    }
    %q = memref.load %m[%c0] : memref<1xi32>
    %qc = arith.cmpi ne, %q, %z : i32
    scf.if %qc {
      // expected-warning @below [possible-double-free] {{the buffer of %a is freed a second time on some path}}
      memref.dealloc %a : memref<4xf32>
    }
    memref.store %z, %m[%c0] : memref<1xi32>
  }
  return
}

// Through a cast.
func.func @cast(%m: memref<1xi1>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %p = memref.load %m[%c0] : memref<1xi1>
  scf.if %p {
    memref.dealloc %a : memref<4xf32>
  }
  %d = memref.cast %m : memref<1xi1> to memref<?xi1>
  %q = memref.load %d[%c0] : memref<?xi1>
  scf.if %q {
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// Other indices in another order.
func.func @transposed(%m: memref<2x2xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @below [possible-leak] {{buffer %a of 16 bytes is not freed on some path}}
  %a = memref.alloc() : memref<4xf32>
  %p = memref.load %m[%c0, %c1] : memref<2x2xi1>
  scf.if %p {
    memref.dealloc %a : memref<4xf32>
  }
  %d = memref.transpose %m (i, j) -> (j, i) : memref<2x2xi1> to memref<2x2xi1, strided<[1, 2]>>
  %q = memref.load %d[%c0, %c1] : memref<2x2xi1, strided<[1, 2]>>
  scf.if %q {
  } else {
    // expected-warning @below [possible-double-free] {{the buffer of %a is freed a second time on some path}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// Computed places: two, and one.
func.func @affine(%m: memref<4xi1>, %i: index) {
  // expected-warning @below [possible-leak] {{buffer %a of 16 bytes is not freed on some path}}
  %a = memref.alloc() : memref<4xf32>
  %p = affine.load %m[%i + 1] : memref<4xi1>
  scf.if %p {
    memref.dealloc %a : memref<4xf32>
  }
  %q = affine.load %m[%i + 2] : memref<4xi1>
  scf.if %q {
  } else {
    // expected-warning @below [possible-double-free] {{the buffer of %a is freed a second time on some path}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}
func.func @affine_same(%m: memref<4xi1>, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  %p = affine.load %m[%i] : memref<4xi1>
  affine.if affine_set<(d0) : (d0 >= 0)>(%i) {
    %j = arith.addi %i, %i : index
  }
  scf.if %p {
    memref.dealloc %a : memref<4xf32>
  }
  %q = affine.load %m[%i] : memref<4xi1>
  scf.if %q {
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// An op that is not described may write it.
func.func @unknown(%m: memref<1xi1>) {
  %c0 = arith.constant 0 : index
  // expected-warning @below [possible-leak] {{buffer %a of 16 bytes is not freed on some path}}
  %a = memref.alloc() : memref<4xf32>
  %p = memref.load %m[%c0] : memref<1xi1>
  scf.if %p {
    memref.dealloc %a : memref<4xf32>
  }
  "foo.bar"() : () -> ()
  %q = memref.load %m[%c0] : memref<1xi1>
  scf.if %q {
  } else {
    // expected-warning @below [possible-double-free] {{the buffer of %a is freed a second time on some path}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// Other threads may have written it.
func.func @barrier(%m: memref<1xi1>) {
  %c0 = arith.constant 0 : index
  // expected-warning @below [possible-leak] {{buffer %a of 16 bytes is not freed on some path}}
  %a = memref.alloc() : memref<4xf32>
  %p = memref.load %m[%c0] : memref<1xi1>
  scf.if %p {
    memref.dealloc %a : memref<4xf32>
  }
  gpu.barrier
  %q = memref.load %m[%c0] : memref<1xi1>
  scf.if %q {
  } else {
    // expected-warning @below [possible-double-free] {{the buffer of %a is freed a second time on some path}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// Stored, then loaded.
func.func @stored_argument(%m: memref<1xi1>, %p: i1) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %p, %m[%c0] : memref<1xi1>
  scf.if %p {
    memref.dealloc %a : memref<4xf32>
  }
  %q = memref.load %m[%c0] : memref<1xi1>
  scf.if %q {
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// Memory made here is not that of the argument.
func.func @local_writes(%m: memref<1xi1>, %s: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4xf32>
  %p = memref.load %m[%c0] : memref<1xi1>
  linalg.fill ins(%z : f32) outs(%a : memref<4xf32>)
  memref.copy %s, %a : memref<4xf32> to memref<4xf32>
  scf.if %p {
    memref.dealloc %a : memref<4xf32>
  }
  %q = memref.load %m[%c0] : memref<1xi1>
  scf.if %q {
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// It is freed: what was there is gone.
func.func @given_back(%n: index) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?xi1>
  %v = memref.alloc() : memref<i1>
  %t = arith.constant true
  // expected-warning @below [possible-leak] {{buffer %a of 16 bytes is not freed on some path}}
  %a = memref.alloc() : memref<4xf32>
  memref.store %t, %m[%n] : memref<?xi1>
  memref.dealloc %m : memref<?xi1>
  memref.dealloc %v : memref<i1>
  // expected-error @below [use-after-free] {{%m is used after its buffer was freed}}
  %q = memref.load %m[%n] : memref<?xi1>
  scf.if %q {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
