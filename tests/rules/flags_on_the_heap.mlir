// config: ignore=["late-free"]
// Flags in memory of any allocator: what is stored there is what is loaded, as long as all is in sight.

// A number as a flag at one of two places, set in a branch.
func.func @branches(%p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf64>
  %flag = memref.alloc() : memref<2xindex>
  memref.store %c0, %flag[%c0] : memref<2xindex>
  memref.store %c0, %flag[%c1] : memref<2xindex>
  scf.if %p {
    memref.dealloc %a : memref<4xf64>
    memref.store %n, %flag[%c1] : memref<2xindex>
  }
  %set = memref.load %flag[%c1] : memref<2xindex>
  %open = arith.cmpi eq, %set, %c0 : index
  memref.dealloc %flag : memref<2xindex>
  scf.if %open {
    memref.dealloc %a : memref<4xf64>
  }
  return
}
func.func private @ext(memref<1xi1>)

// Who is passed it may write it.
func.func @passed(%p: i1) {
  %c0 = arith.constant 0 : index
  // expected-warning @below [possible-leak] {{buffer %a of 32 bytes is not freed on some path}}
  %a = memref.alloc() : memref<4xf64>
  %flag = memref.alloc() : memref<1xi1>
  memref.store %p, %flag[%c0] : memref<1xi1>
  scf.if %p {
    memref.dealloc %a : memref<4xf64>
  }
  call @ext(%flag) : (memref<1xi1>) -> ()
  %set = memref.load %flag[%c0] : memref<1xi1>
  memref.dealloc %flag : memref<1xi1>
  scf.if %set {
  } else {
    // expected-warning @below [possible-double-free] {{the buffer of %a is freed a second time on some path}}
    memref.dealloc %a : memref<4xf64>
  }
  return
}

// Written through a view.
func.func @view(%p: i1, %v: i1) {
  %c0 = arith.constant 0 : index
  // expected-warning @below [possible-leak] {{buffer %a of 32 bytes is not freed on some path}}
  %a = memref.alloc() : memref<4xf64>
  %flag = memref.alloc() : memref<1xi1>
  %w = memref.cast %flag : memref<1xi1> to memref<?xi1>
  memref.store %p, %flag[%c0] : memref<1xi1>
  scf.if %p {
    memref.dealloc %a : memref<4xf64>
  }
  memref.store %v, %w[%c0] : memref<?xi1>
  %set = memref.load %flag[%c0] : memref<1xi1>
  memref.dealloc %flag : memref<1xi1>
  scf.if %set {
  } else {
    // expected-warning @below [possible-double-free] {{the buffer of %a is freed a second time on some path}}
    memref.dealloc %a : memref<4xf64>
  }
  return
}

// Read through a view.
func.func @read_through_view(%p: i1) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf64>
  %flag = memref.alloc() : memref<1xi1>
  %w = memref.cast %flag : memref<1xi1> to memref<?xi1>
  memref.store %p, %flag[%c0] : memref<1xi1>
  scf.if %p {
    memref.dealloc %a : memref<4xf64>
  }
  %set = memref.load %w[%c0] : memref<?xi1>
  memref.dealloc %flag : memref<1xi1>
  scf.if %set {
  } else {
    memref.dealloc %a : memref<4xf64>
  }
  return
}

// Set in a round of a loop.
func.func @rounds(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = arith.constant true
  %f = arith.constant false
  %a = memref.alloc() : memref<4xf64>
  %flag = memref.alloc() : memref<1xi1>
  memref.store %f, %flag[%c0] : memref<1xi1>
  scf.for %i = %c0 to %n step %c1 {
    %done = memref.load %flag[%c0] : memref<1xi1>
    scf.if %done {
    } else {
      memref.dealloc %a : memref<4xf64>
      memref.store %t, %flag[%c0] : memref<1xi1>
    }
  }
  %set = memref.load %flag[%c0] : memref<1xi1>
  scf.if %set {
  } else {
    memref.dealloc %a : memref<4xf64>
  }
  memref.dealloc %flag : memref<1xi1>
  return
}

// Lowered.
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @llvm(%n: i64, %p: i1) {
  %f = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %g = llvm.getelementptr %f[1] : (!llvm.ptr) -> !llvm.ptr, i8
  %byte = llvm.zext %p : i1 to i8
  llvm.store %byte, %g : i8, !llvm.ptr
  llvm.cond_br %p, ^bb1, ^bb2
^bb1:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^bb2
^bb2:
  %h = llvm.getelementptr %f[1] : (!llvm.ptr) -> !llvm.ptr, i8
  %q = llvm.load %h : !llvm.ptr -> i8
  %b = llvm.trunc %q : i8 to i1
  llvm.call @free(%f) : (!llvm.ptr) -> ()
  llvm.cond_br %b, ^bb4, ^bb3
^bb3:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^bb4
^bb4:
  llvm.return
}

// A store at an unknown place may be to this one.
func.func @unknown_place(%p: i1, %k: index) {
  %c0 = arith.constant 0 : index
  %t = arith.constant true
  // expected-warning @below [possible-leak] {{buffer %a of 32 bytes is not freed on some path}}
  %a = memref.alloc() : memref<4xf64>
  %flag = memref.alloc() : memref<4xi1>
  memref.store %p, %flag[%c0] : memref<4xi1>
  scf.if %p {
    memref.dealloc %a : memref<4xf64>
  }
  memref.store %t, %flag[%k] : memref<4xi1>
  %set = memref.load %flag[%c0] : memref<4xi1>
  memref.dealloc %flag : memref<4xi1>
  scf.if %set {
  } else {
    // expected-warning @below [possible-double-free] {{the buffer of %a is freed a second time on some path}}
    memref.dealloc %a : memref<4xf64>
  }
  return
}

// Numbers that are no integers are not followed.
func.func @float(%p: i1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  // expected-warning @below [possible-leak] {{buffer %a of 32 bytes is not freed on some path}}
  %a = memref.alloc() : memref<4xf64>
  %flag = memref.alloc() : memref<1xf32>
  %v = arith.select %p, %one, %zero : f32
  memref.store %v, %flag[%c0] : memref<1xf32>
  scf.if %p {
    memref.dealloc %a : memref<4xf64>
  }
  %set = memref.load %flag[%c0] : memref<1xf32>
  memref.dealloc %flag : memref<1xf32>
  %q = arith.cmpf oeq, %set, %zero : f32
  scf.if %q {
    // expected-warning @below [possible-double-free] {{the buffer of %a is freed a second time on some path}}
    memref.dealloc %a : memref<4xf64>
  }
  return
}

// Anew in each round.
func.func @fresh(%n: index, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf64>
    %flag = memref.alloc() : memref<1xi1>
    memref.store %p, %flag[%c0] : memref<1xi1>
    scf.if %p {
      memref.dealloc %a : memref<4xf64>
    }
    %set = memref.load %flag[%c0] : memref<1xi1>
    memref.dealloc %flag : memref<1xi1>
    scf.if %set {
    } else {
      memref.dealloc %a : memref<4xf64>
    }
  }
  return
}

// All of it is written.
func.func @copied(%p: i1, %s: memref<1xi1>) {
  %c0 = arith.constant 0 : index
  // expected-warning @below [possible-leak] {{buffer %a of 32 bytes is not freed on some path}}
  %a = memref.alloc() : memref<4xf64>
  %flag = memref.alloc() : memref<1xi1>
  memref.store %p, %flag[%c0] : memref<1xi1>
  scf.if %p {
    memref.dealloc %a : memref<4xf64>
  }
  memref.copy %s, %flag : memref<1xi1> to memref<1xi1>
  %set = memref.load %flag[%c0] : memref<1xi1>
  memref.dealloc %flag : memref<1xi1>
  scf.if %set {
  } else {
    // expected-warning @below [possible-double-free] {{the buffer of %a is freed a second time on some path}}
    memref.dealloc %a : memref<4xf64>
  }
  return
}

// Places in the text: that is loaded in four rounds, and where the flag is not set the second one frees again.
func.func @affine(%p: i1) {
  %a = memref.alloc() : memref<4xf64>
  %flag = memref.alloc() : memref<2xi1>
  affine.store %p, %flag[1] : memref<2xi1>
  scf.if %p {
    memref.dealloc %a : memref<4xf64>
  }
  affine.for %i = 0 to 4 {
    %set = affine.load %flag[1] : memref<2xi1>
    %x = affine.load %flag[0] : memref<2xi1>
    scf.if %set {
    } else {
      // expected-error @below [double-free] {{the buffer of %a is freed a second time}}
      memref.dealloc %a : memref<4xf64>
    }
  }
  memref.dealloc %flag : memref<2xi1>
  return
}

// Of another allocator.
func.func @gpu(%p: i1) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf64>
  %flag = gpu.alloc host_shared () : memref<1xi1>
  memref.store %p, %flag[%c0] : memref<1xi1>
  scf.if %p {
    memref.dealloc %a : memref<4xf64>
  }
  %set = memref.load %flag[%c0] : memref<1xi1>
  gpu.dealloc %flag : memref<1xi1>
  scf.if %set {
  } else {
    memref.dealloc %a : memref<4xf64>
  }
  return
}
