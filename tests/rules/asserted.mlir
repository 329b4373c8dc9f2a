// Behind an assertion its condition holds.

func.func @freed_if_so(%n: index) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %some = arith.cmpi sgt, %n, %c0 : index
  cf.assert %some, "there is something"
  scf.if %some {
    memref.dealloc %a : memref<?xf32>  // expected-warning [late-free] {{is held over 2 operations}}
  }
  return
}

// It may say less, or more.
func.func @follows(%n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %many = arith.cmpi sgt, %n, %c4 : index
  cf.assert %many, "there is much"
  %some = arith.cmpi sgt, %n, %c0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  cf.cond_br %some, ^free, ^end
^free:
  memref.dealloc %a : memref<?xf32>
  cf.br ^end
^end:
  return
}
func.func @does_not_follow(%n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %some = arith.cmpi sgt, %n, %c0 : index
  cf.assert %some, "there is something"
  %many = arith.cmpi sgt, %n, %c4 : index
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc(%n) : memref<?xf32>
  scf.if %many {
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// What is asserted on some path, or later, says nothing.
func.func @perhaps(%n: index, %p: i1, %q: i1) {
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc(%n) : memref<?xf32>
  scf.if %q {
    cf.assert %p, "so"
  }
  scf.if %p {
    memref.dealloc %a : memref<?xf32>
  }
  return
}
func.func @later(%n: index, %p: i1) {
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc(%n) : memref<?xf32>
  scf.if %p {
    memref.dealloc %a : memref<?xf32>
  }
  cf.assert %p, "so"
  return
}
func.func @in_another_block(%n: index, %p: i1, %q: i1) {
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc(%n) : memref<?xf32>
  cf.cond_br %q, ^ask, ^free
^ask:
  cf.assert %p, "so"
  cf.br ^free
^free:
  cf.cond_br %p, ^then, ^end
^then:
  memref.dealloc %a : memref<?xf32>
  cf.br ^end
^end:
  return
}

// Each round another value.
func.func @each_round(%lower: index, %upper: index, %step: index, %m: memref<?xi1>, %n: index) {
  scf.for %i = %lower to %upper step %step {
    %p = memref.load %m[%i] : memref<?xi1>
    %a = memref.alloc(%n) : memref<?xf32>
    cf.assert %p, "so"
    scf.if %p {
      memref.dealloc %a : memref<?xf32>  // expected-warning [late-free] {{is held over 1 operation}}
    }
  }
  return
}

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @assumed(%n: i64, %p: i1) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.intr.assume %p : i1
  llvm.cond_br %p, ^free, ^end
^free:
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 1 operation}}
  llvm.br ^end
^end:
  llvm.return
}
