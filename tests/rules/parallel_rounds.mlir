// Loops whose iterations may run at once run as often as their bounds say; in which order, nobody knows.

func.func @once(%f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    memref.store %f, %a[%i] : memref<4xf32>
    memref.dealloc %a : memref<4xf32>
  }
  return
}

func.func @once_in_each_dimension(%f: f32) {
  %a = memref.alloc() : memref<4xf32>
  scf.forall (%i, %j) in (1, 1) {
    memref.store %f, %a[%i] : memref<4xf32>
    memref.dealloc %a : memref<4xf32>
  }
  return
}

func.func @four_times(%f: f32) {
  %a = memref.alloc() : memref<4xf32>
  scf.forall (%i, %j) = (0, 2) to (2, 6) step (2, 1) {
    // expected-error @below [double-free] {{of %a is freed a second time}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}

func.func @then_used(%f: f32) {
  %a = memref.alloc() : memref<4xf32>
  affine.parallel (%i, %j) = (0, 0) to (2, 1) step (2, 1) {
    memref.dealloc %a : memref<4xf32>
  }
  affine.parallel (%i) = (0) to (4) reduce ("addf") -> f32 {
    // expected-error @below [use-after-free] {{%a is used after}}
    %x = memref.load %a[%i] : memref<4xf32>
    affine.yield %x : f32
  }
  return
}

func.func @never(%f: f32, %n: index) {
  %a = memref.alloc() : memref<4xf32>
  scf.forall (%i, %j) in (%n, 0) {
    memref.dealloc %a : memref<4xf32>
  }
  memref.store %f, %a[%n] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}

func.func @as_often(%n: index, %m: index) {
  // expected-warning @below [possible-leak] {{%b of 16 bytes is not freed}}
  %b = memref.alloc() : memref<4xf32>
  scf.forall (%i) in (%m) {
    // expected-warning @below [possible-double-free] {{of %b is freed a second time}}
    memref.dealloc %b : memref<4xf32>
  }
  return
}

// Where one runs the other does: what was freed in the first is used in the second, whenever it gets there.
func.func @both(%n: index, %f: f32) {
  // expected-warning @below [possible-leak] {{%a of 16 bytes is not freed}}
  %a = memref.alloc() : memref<4xf32>
  scf.forall (%i, %j) in (%n, 1) {
    // expected-warning @below [possible-double-free] {{of %a is freed a second time}}
    memref.dealloc %a : memref<4xf32>
  }
  scf.forall (%i) in (%n) {
    // expected-error @below [use-after-free] {{%a is used after}}
    memref.store %f, %a[%i] : memref<4xf32>
  }
  return
}

// The last one may come first.
func.func @any_order(%f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  // expected-warning @below [possible-leak] {{%a of 16 bytes is not freed}}
  %a = memref.alloc() : memref<4xf32>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    // expected-warning @below [possible-use-after-free] {{%a is used after}}
    memref.store %f, %a[%i] : memref<4xf32>
    %last = arith.cmpi eq, %i, %c3 : index
    scf.if %last {
      // expected-warning @below [possible-double-free] {{of %a is freed a second time}}
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}

func.func @bounds_of_the_text(%n: index, %f: f32) {
  %a = memref.alloc() : memref<4xf32>
  affine.for %i = 0 to %n {
    affine.store %f, %a[0] : memref<4xf32>
  }
  affine.for %i = 0 to %n step 2 {
    // The first runs where this does.
    %x = affine.load %a[0] : memref<4xf32>
  }
  memref.dealloc %a : memref<4xf32>
  return
}

func.func @generic(%f: f32) {
  %a = memref.alloc() : memref<4xf32>
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 4 : index, upperBoundMap = affine_map<() -> (4)>}> ({
  ^bb0(%i: index):
    "memref.dealloc"(%a) : (memref<4xf32>) -> ()  // expected-warning [late-free] {{held over 1 operation}}
    "affine.yield"() : () -> ()
  }) : () -> ()
  %b = memref.alloc() : memref<4xf32>
  "scf.forall"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 0, 0>, staticStep = array<i64: 1, 1>, staticUpperBound = array<i64: 1, 1>}> ({
  ^bb0(%i: index, %j: index):
    "memref.dealloc"(%b) : (memref<4xf32>) -> ()
    "scf.forall.in_parallel"() ({
    ^bb0:
    }) : () -> ()
  }) : () -> ()
  %c = memref.alloc() : memref<4xf32>
  "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (1)>}> ({
  ^bb0(%i: index):
    "memref.dealloc"(%c) : (memref<4xf32>) -> ()
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}

func.func @generic_of_any_size(%n: index) {
  // expected-warning @below [possible-leak] {{%b of 16 bytes is not freed}}
  %b = memref.alloc() : memref<4xf32>
  "scf.forall"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
  ^bb0(%i: index):
    // expected-warning @below [possible-double-free] {{of %b is freed a second time}}
    "memref.dealloc"(%b) : (memref<4xf32>) -> ()
    "scf.forall.in_parallel"() ({
    ^bb0:
    }) : () -> ()
  }) : (index) -> ()
  return
}

// In whichever order, these are the numbers: nothing happens where another one is asked for.
func.func @between(%f: f32) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<4xf32>
  scf.forall (%i, %j) = (0, 4) to (3, 5) step (2, 1) {
    memref.store %f, %a[%i] : memref<4xf32>
    %odd = arith.cmpi eq, %i, %c1 : index
    scf.if %odd {
      memref.dealloc %a : memref<4xf32>
    }
    %few = arith.cmpi slt, %j, %c2 : index
    scf.if %few {
      memref.dealloc %a : memref<4xf32>
    }
  }
  memref.dealloc %a : memref<4xf32>
  return
}

// In the generic form some bounds stand in the text, others are operands.
func.func @bounds_given_by_operands() {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  "scf.forall"(%c0, %c1) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, staticLowerBound = array<i64: 0, -9223372036854775808>, staticStep = array<i64: 1, 1>, staticUpperBound = array<i64: -9223372036854775808, 1>}> ({
    ^bb0(%i: index, %j: index):
      memref.dealloc %a : memref<4xf32>
      scf.forall.in_parallel {
      }
    }) : (index, index) -> ()
  return
}

// Over no dimensions: the product of none is one.
func.func @no_dimensions() {
  %a = memref.alloc() : memref<4xf32>
  scf.forall () in () {
    memref.dealloc %a : memref<4xf32>
  }
  %b = memref.alloc() : memref<4xf32>
  affine.parallel () = () to () {
    memref.dealloc %b : memref<4xf32>
  }
  %c = memref.alloc() : memref<4xf32>
  "scf.forall"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64>, staticStep = array<i64>, staticUpperBound = array<i64>}> ({
    "memref.dealloc"(%c) : (memref<4xf32>) -> ()
    "scf.forall.in_parallel"() ({
    ^bb0:
    }) : () -> ()
  }) : () -> ()
  return
}

func.func @no_dimensions_in_four_rounds() {
  %a = memref.alloc() : memref<4xf32>
  scf.forall () in () {
    scf.forall () in () {
      memref.dealloc %a : memref<4xf32>
    }
    scf.forall () in () {
      // expected-error @below [double-free] {{of %a is freed a second time}}
      memref.dealloc %a : memref<4xf32>
    }
  }
  %b = memref.alloc() : memref<4xf32>
  scf.forall (%i) in (4) {
    scf.forall () in () {
      // expected-error @below [double-free] {{of %b is freed a second time}}
      memref.dealloc %b : memref<4xf32>
    }
  }
  return
}
