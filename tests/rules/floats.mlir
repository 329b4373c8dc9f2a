// Comparisons of floating-point numbers: `olt` and `uge` are each other's negation, `olt` and `oge` are not, because of
// NaN.

func.func @twice(%x: f32, %y: f32) {
  %a = memref.alloc() : memref<4xf32>
  %c = arith.cmpf olt, %x, %y : f32
  scf.if %c {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{is held over 1 operation}}
  }
  %d = arith.cmpf olt, %x, %y : f32
  scf.if %d {
  } else {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{is held over 3 operations}}
  }
  return
}

func.func @negated(%x: f32, %y: f32) {
  %a = memref.alloc() : memref<4xf32>
  %c = arith.cmpf olt, %x, %y : f32
  scf.if %c {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{is held over 1 operation}}
  }
  %d = arith.cmpf uge, %x, %y : f32
  scf.if %d {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{is held over 3 operations}}
  }
  return
}

func.func @the_other_way_round(%x: f32, %y: f32) {
  %a = memref.alloc() : memref<4xf32>
  %c = arith.cmpf olt, %x, %y : f32
  scf.if %c {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{is held over 1 operation}}
  }
  %d = arith.cmpf ule, %y, %x : f32
  scf.if %d {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{is held over 3 operations}}
  }
  return
}

// Neither is so where one of them is NaN.
func.func @less_or_not_less(%x: f32, %y: f32) {
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  %c = arith.cmpf olt, %x, %y : f32
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  %d = arith.cmpf oge, %x, %y : f32
  scf.if %d {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// Both are.
func.func @both(%x: f32, %y: f32) {
  %a = memref.alloc() : memref<4xf32>
  %c = arith.cmpf ult, %x, %y : f32
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  %d = arith.cmpf uge, %x, %y : f32
  scf.if %d {
    // expected-warning @below [possible-double-free] {{of %a is freed a second time}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}

func.func @less_more_equal_or_none(%x: f32, %y: f32) {
  %a = memref.alloc() : memref<4xf32>
  %less = arith.cmpf olt, %x, %y : f32
  scf.if %less {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{is held over 1 operation}}
  }
  %more = arith.cmpf ogt, %x, %y : f32
  scf.if %more {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{is held over 3 operations}}
  }
  %rest = arith.cmpf ueq, %x, %y : f32
  scf.if %rest {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{is held over 5 operations}}
  }
  return
}

// Whether a number is NaN: it is not what it is.
func.func @is_nan(%x: f32) {
  %a = memref.alloc() : memref<4xf32>
  %c = arith.cmpf une, %x, %x : f32
  scf.if %c {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{is held over 1 operation}}
  }
  %d = arith.cmpf ord, %x, %x : f32
  scf.if %d {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{is held over 3 operations}}
  }
  return
}

func.func @other_numbers(%x: f32, %y: f32, %z: f32) {
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  %c = arith.cmpf olt, %x, %y : f32
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  %d = arith.cmpf uge, %x, %z : f32
  scf.if %d {
    // expected-warning @below [possible-double-free] {{of %a is freed a second time}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// In each round it is another number; in one it is the same.
func.func @rounds(%numbers: memref<?xf32>, %y: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @below [possible-leak] {{%b}}
  %b = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    %x = memref.load %numbers[%i] : memref<?xf32>
    %c = arith.cmpf ogt, %x, %y : f32
    scf.if %c {
      memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{is held over 2 operations}}
      // expected-warning @below [possible-double-free] {{of %b is freed a second time}}
      memref.dealloc %b : memref<4xf32>
    }
    %d = arith.cmpf ule, %x, %y : f32
    scf.if %d {
      memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{is held over 4 operations}}
    }
  }
  return
}

func.func @generic(%x: f32, %y: f32) {
  %a = memref.alloc() : memref<4xf32>
  %c = "arith.cmpf"(%x, %y) <{fastmath = #arith.fastmath<none>, predicate = 4 : i64}> : (f32, f32) -> i1
  scf.if %c {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{is held over 1 operation}}
  }
  %d = "arith.cmpf"(%x, %y) <{predicate = 10 : i64}> : (f32, f32) -> i1
  scf.if %d {
    memref.dealloc %a : memref<4xf32>  // expected-warning [late-free] {{is held over 3 operations}}
  }
  return
}

func.func @never(%x: f32, %y: f32) {
  // expected-warning @below [leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  %c = arith.cmpf false, %x, %y : f32
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// What a private function frees under a condition, its caller frees under the other.
func.func private @if_less(%a: memref<4xf32>, %x: f32, %y: f32) {
  %c = arith.cmpf olt, %x, %y : f32
  scf.if %c {
    // expected-remark @below [argument-free] {{%a}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}

func.func @called(%x: f32, %y: f32) {
  %a = memref.alloc() : memref<4xf32>
  call @if_less(%a, %x, %y) : (memref<4xf32>, f32, f32) -> ()
  %c = arith.cmpf uge, %x, %y : f32
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

func.func @called_the_other_way_round(%x: f32, %y: f32) {
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  call @if_less(%a, %y, %x) : (memref<4xf32>, f32, f32) -> ()
  %c = arith.cmpf uge, %x, %y : f32
  scf.if %c {
    // expected-warning @below [possible-double-free] {{of %a is freed a second time}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

llvm.func @lowered(%x: f64, %y: f64) {
  %n = llvm.mlir.constant(16 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %c = llvm.fcmp "oge" %x, %y : f64
  llvm.cond_br %c, ^more, ^after
^more:
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 1 operation}}
  llvm.br ^after
^after:
  %d = llvm.fcmp "ult" %x, %y : f64
  llvm.cond_br %d, ^less, ^end
^less:
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 2 operations}}
  llvm.br ^end
^end:
  llvm.return
}
