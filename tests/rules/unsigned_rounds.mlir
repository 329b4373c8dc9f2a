// Loops whose bounds are compared without a sign: 0 to -1 is 0 to 255 in i8, and -1 to 0 is nothing.

func.func @runs() {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %all = arith.constant -1 : i8
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  scf.for unsigned %i = %c0 to %all step %c1 : i8 {
    // expected-error @below [double-free] {{%m}}
    memref.dealloc %m : memref<4xf32>
  }
  return
}
func.func @runs_with_a_sign() {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %all = arith.constant -1 : i8
  // expected-warning @below [leak] {{%m}}
  %m = memref.alloc() : memref<4xf32>
  scf.for %i = %all to %c0 step %c1 : i8 {
  }
  scf.for %i = %c0 to %all step %c1 : i8 {
    memref.dealloc %m : memref<4xf32>
  }
  return
}
func.func @never_runs() {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %all = arith.constant -1 : i8
  // expected-warning @below [leak] {{%m}}
  %m = memref.alloc() : memref<4xf32>
  scf.for unsigned %i = %all to %c0 step %c1 : i8 {
    memref.dealloc %m : memref<4xf32>
  }
  return
}
func.func @in_generic_form(%x: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %all = arith.constant -1 : i32
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  "scf.for"(%c0, %all, %c1) <{unsignedCmp}> ({
  ^bb0(%i: i32):
    // expected-error @below [use-after-free] {{%m}}
    linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
    "scf.yield"() : () -> ()
  }) : (i32, i32, i32) -> ()
  return
}
func.func @of_indices() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = arith.constant -1 : index
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  scf.for unsigned %i = %c0 to %all step %c1 {
    // expected-error @below [double-free] {{%m}}
    memref.dealloc %m : memref<4xf32>
  }
  return
}

// Where both bounds have the same sign, it does not matter.
func.func @once() {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %m = memref.alloc() : memref<4xf32>
  scf.for unsigned %i = %c0 to %c1 step %c1 : i8 {
    memref.dealloc %m : memref<4xf32>  // expected-warning [late-free] {{is held over 1 operation}}
  }
  return
}
func.func @once_below_zero() {
  %low = arith.constant -2 : i8
  %high = arith.constant -1 : i8
  %c1 = arith.constant 1 : i8
  %m = memref.alloc() : memref<4xf32>
  scf.for unsigned %i = %low to %high step %c1 : i8 {
    memref.dealloc %m : memref<4xf32>  // expected-warning [late-free] {{is held over 1 operation}}
  }
  return
}
func.func @once_across() {
  %low = arith.constant 127 : i8
  %high = arith.constant -128 : i8
  %c1 = arith.constant 1 : i8
  %m = memref.alloc() : memref<4xf32>
  scf.for unsigned %i = %low to %high step %c1 : i8 {
    memref.dealloc %m : memref<4xf32>  // expected-warning [late-free] {{is held over 1 operation}}
  }
  return
}

// The step has no sign either.
func.func @in_one_step() {
  %c0 = arith.constant 0 : i8
  %all = arith.constant -1 : i8
  %m = memref.alloc() : memref<4xf32>
  scf.for unsigned %i = %c0 to %all step %all : i8 {
    memref.dealloc %m : memref<4xf32>  // expected-warning [late-free] {{is held over 1 operation}}
  }
  return
}

// What counts is compared with its sign where a comparison says so.
func.func @in_the_first_round() {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %all = arith.constant -1 : i8
  %m = memref.alloc() : memref<4xf32>
  scf.for unsigned %i = %c0 to %all step %c1 : i8 {
    %first = arith.cmpi eq, %i, %c0 : i8
    scf.if %first {
      memref.dealloc %m : memref<4xf32>  // expected-warning [late-free] {{is held over 2 operations}}
    }
  }
  return
}
func.func @in_a_late_round() {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %c200 = arith.constant -56 : i8
  %all = arith.constant -1 : i8
  // Rounds are not told apart for ever.
  // expected-warning @below [possible-leak] {{%m}}
  %m = memref.alloc() : memref<4xf32>
  scf.for unsigned %i = %c0 to %all step %c1 : i8 {
    %late = arith.cmpi eq, %i, %c200 : i8
    scf.if %late {
      // expected-warning @below [possible-double-free] {{%m}}
      memref.dealloc %m : memref<4xf32>
    }
  }
  return
}
func.func @in_the_upper_half() {
  %c0 = arith.constant 0 : i8
  %c50 = arith.constant 50 : i8
  %c250 = arith.constant -6 : i8
  %m = memref.alloc() : memref<4xf32>
  // 0, 50, 100, -106, -56
  scf.for unsigned %i = %c0 to %c250 step %c50 : i8 {
    %below = arith.cmpi slt, %i, %c0 : i8
    scf.if %below {
      // expected-error @below [double-free] {{%m}}
      memref.dealloc %m : memref<4xf32>
    }
  }
  return
}

// A bound that nobody knows lets it run any number of times.
func.func @as_often_as_somebody_says(%n: i8) {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  // expected-warning @below [possible-leak] {{%m}}
  %m = memref.alloc() : memref<4xf32>
  scf.for unsigned %i = %c0 to %n step %c1 : i8 {
    // expected-warning @below [possible-double-free] {{%m}}
    memref.dealloc %m : memref<4xf32>
  }
  return
}
