// Flags that are packed in one number, and asked for bit by bit.

func.func @in_the_second_bit(%done: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %a = memref.alloc() : memref<4xf32>
  scf.if %done {
    memref.dealloc %a : memref<4xf32>
  }
  %bit = arith.extui %done : i1 to i32
  %up = arith.shli %bit, %c1 : i32
  %word = arith.ori %c1, %up : i32
  %masked = arith.andi %word, %c2 : i32
  %rest = arith.cmpi eq, %masked, %c0 : i32
  scf.if %rest {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{is held over 6 operations}}
  }
  return
}

func.func @beside_another(%done: i1, %other: i1) {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %c2 = arith.constant 2 : i8
  %true = arith.constant true
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  scf.if %done {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{is held over 1 operation}}
    memref.dealloc %b : memref<4xf32>
  }
  %one = arith.extui %done : i1 to i8
  %two = arith.extui %other : i1 to i8
  %up = arith.shli %one, %c1 : i8
  %word = arith.ori %up, %two : i8
  %masked = arith.andi %c2, %word : i8
  %rest = arith.cmpi eq, %masked, %c0 : i8
  scf.if %rest {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{is held over 8 operations}}
  }
  %down = arith.shrui %word, %c1 : i8
  %flag = arith.trunci %down : i8 to i1
  %not = arith.xori %flag, %true : i1
  scf.if %not {
    memref.dealloc %b : memref<4xf32>  // expected-warning [late-free] {{is held over 11 operations}}
  }
  return
}

// What is added is put together where no two have the same bit.
func.func @added(%done: i1, %other: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  scf.if %done {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{is held over 1 operation}}
  }
  scf.if %other {
    memref.dealloc %b : memref<4xf32>  // expected-warning [late-free] {{is held over 1 operation}}
  }
  %one = arith.select %done, %c1, %c0 : i32
  %two = arith.select %other, %c2, %c0 : i32
  %word = arith.addi %one, %two : i32
  %first = arith.andi %word, %c1 : i32
  %rest = arith.cmpi eq, %first, %c0 : i32
  scf.if %rest {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{is held over 8 operations}}
  }
  %second = arith.andi %word, %c2 : i32
  %others = arith.cmpi eq, %second, %c0 : i32
  scf.if %others {
    memref.dealloc %b : memref<4xf32>  // expected-warning [late-free] {{is held over 10 operations}}
  }
  return
}
func.func @carried(%done: i1, %other: i1) {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  // expected-warning @below [possible-leak] {{%a of 16 bytes is not freed}}
  %a = memref.alloc() : memref<4xf32>
  scf.if %done {
    memref.dealloc %a : memref<4xf32>
  }
  %one = arith.extui %done : i1 to i32
  %two = arith.extui %other : i1 to i32
  %sum = arith.addi %one, %two : i32
  %carry = arith.andi %sum, %c2 : i32
  %rest = arith.cmpi ne, %carry, %c0 : i32
  scf.if %rest {
    // expected-warning @below [possible-double-free] {{%a is freed a second time}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// It is the other flag that is asked for.
func.func @the_wrong_bit(%done: i1, %other: i1) {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  // expected-warning @below [possible-leak] {{%a of 16 bytes is not freed}}
  %a = memref.alloc() : memref<4xf32>
  scf.if %done {
    memref.dealloc %a : memref<4xf32>
  }
  %one = arith.extui %done : i1 to i8
  %two = arith.extui %other : i1 to i8
  %up = arith.shli %one, %c1 : i8
  %word = arith.xori %up, %two : i8
  %masked = arith.andi %word, %c1 : i8
  %rest = arith.cmpi eq, %masked, %c0 : i8
  scf.if %rest {
    // expected-warning @below [possible-double-free] {{%a is freed a second time}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// What is shifted out is gone.
func.func @too_far(%done: i1) {
  %c0 = arith.constant 0 : i8
  %c8 = arith.constant 7 : i8
  %c2 = arith.constant 2 : i8
  %a = memref.alloc() : memref<4xf32>
  %one = arith.extui %done : i1 to i8
  %up = arith.shli %one, %c8 : i8
  %gone = arith.shli %up, %c2 : i8
  %none = arith.cmpi eq, %gone, %c0 : i8
  scf.if %none {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{is held over 4 operations}}
  }
  return
}
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @with_a_sign(%n: i64, %mine: i1) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero = llvm.mlir.zero : i32
  %null = llvm.mlir.zero : !llvm.ptr
  llvm.cond_br %mine, ^bb1, ^bb2(%null : !llvm.ptr)
^bb1:
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.br ^bb2(%a : !llvm.ptr)
^bb2(%p: !llvm.ptr):
  %flag = llvm.zext %mine : i1 to i32
  %up = llvm.shl %flag, %one : i32
  %word = llvm.or %up, %one : i32
  %masked = llvm.and %word, %two : i32
  %own = llvm.icmp "ne" %masked, %zero : i32
  llvm.cond_br %own, ^bb3, ^bb4
^bb3:
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.br ^bb4
^bb4:
  llvm.return
}

// The remainder by 2 is the last bit: 0 or 1. That by 3 may be 2 as well, and with a sign it may be -1.
func.func @odd_or_even(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  %rest = arith.remui %n, %c2 : index
  %even = arith.cmpi eq, %rest, %c0 : index
  %odd = arith.cmpi eq, %rest, %c1 : index
  scf.if %even {
    memref.store %x, %a[%c1] : memref<4xf32>
    memref.dealloc %a : memref<4xf32>
  }
  scf.if %odd {
    memref.store %x, %a[%c1] : memref<4xf32>
    memref.dealloc %a : memref<4xf32>
  }
  return
}
llvm.func @lowered_odd_or_even(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %two = llvm.mlir.constant(2 : i64) : i64
  %a = llvm.call @malloc(%two) : (i64) -> !llvm.ptr
  llvm.store %one, %a : i64, !llvm.ptr
  %rest = llvm.urem %n, %two : i64
  %odd = llvm.icmp "uge" %rest, %one : i64
  llvm.cond_br %odd, ^free, ^other
^free:
  llvm.store %two, %a : i64, !llvm.ptr
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^other
^other:
  %zero = llvm.mlir.constant(0 : i64) : i64
  %even = llvm.icmp "eq" %rest, %zero : i64
  llvm.cond_br %even, ^too, ^end
^too:
  llvm.store %two, %a : i64, !llvm.ptr
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.return
}
func.func @remainder_with_a_sign(%n: i32, %x: f32, %i: index) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  %rest = arith.remsi %n, %c2 : i32
  %even = arith.cmpi eq, %rest, %c0 : i32
  %odd = arith.cmpi eq, %rest, %c1 : i32
  scf.if %even {
    memref.store %x, %a[%i] : memref<4xf32>
    memref.dealloc %a : memref<4xf32>
  }
  scf.if %odd {
    memref.store %x, %a[%i] : memref<4xf32>
    memref.dealloc %a : memref<4xf32>
  }
  return
}
