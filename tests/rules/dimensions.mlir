// What a type says of a dimension decides ways: it is the number that is asked for.

func.func @of_a_buffer(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc(%n) : memref<4x?xf32>
  %known = memref.dim %a, %c0 : memref<4x?xf32>
  %right = arith.cmpi eq, %known, %c4 : index
  scf.if %right {
    memref.dealloc %a : memref<4x?xf32>
  }
  // expected-warning @below [possible-leak] {{%b of 16*%n bytes is not freed}}
  %b = memref.alloc(%n) : memref<4x?xf32>
  %unknown = memref.dim %b, %c1 : memref<4x?xf32>
  %perhaps = arith.cmpi eq, %unknown, %c4 : index
  scf.if %perhaps {
    memref.dealloc %b : memref<4x?xf32>
  }
  return
}

func.func @of_a_tensor(%t: tensor<8x2xf32, "row">, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %rows = tensor.dim %t, %c0 : tensor<8x2xf32, "row">
  scf.for %i = %c0 to %rows step %c1 {
    memref.store %f, %a[%c0] : memref<4xf32>
  }
  %x = memref.load %a[%c0] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return %x : f32
}

// Of what has no rank it is any number.
func.func @untold(%r: memref<*xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  %one = memref.dim %r, %c0 : memref<*xf32>
  %is = arith.cmpi eq, %one, %c4 : index
  scf.if %is {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// Asked for twice, a dimension is one number.
func.func @twice(%m: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xf32>
  %n = memref.dim %m, %c0 : memref<?x?xf32>
  %more = arith.cmpi sgt, %n, %c4 : index
  scf.if %more {
    memref.dealloc %a : memref<4xf32>
  }
  %again = memref.dim %m, %c0 : memref<?x?xf32>
  %no_more = arith.cmpi sle, %again, %c4 : index
  scf.if %no_more {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

func.func @of_another_position(%m: memref<?x?xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  %n = memref.dim %m, %c0 : memref<?x?xf32>
  %more = arith.cmpi sgt, %n, %c4 : index
  scf.if %more {
    memref.dealloc %a : memref<4xf32>
  }
  %other = memref.dim %m, %c1 : memref<?x?xf32>
  %no_more = arith.cmpi sle, %other, %c4 : index
  scf.if %no_more {
    // expected-warning @below [possible-double-free] {{of %a is freed a second time}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}

func.func @of_a_position_that_is_told(%m: memref<?x?xf32>, %i: index) {
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xf32>
  %n = memref.dim %m, %i : memref<?x?xf32>
  %more = arith.cmpi sgt, %n, %c4 : index
  scf.if %more {
    memref.dealloc %a : memref<4xf32>
  }
  %again = memref.dim %m, %i : memref<?x?xf32>
  %no_more = arith.cmpi sle, %again, %c4 : index
  scf.if %no_more {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

func.func @of_tensors(%t: tensor<?xf32>, %u: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  // expected-warning @below [possible-leak] {{%b}}
  %b = memref.alloc() : memref<4xf32>
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %some = arith.cmpi ne, %n, %c0 : index
  scf.if %some {
    memref.dealloc %a : memref<4xf32>
    memref.dealloc %b : memref<4xf32>
  }
  %cast = tensor.cast %t : tensor<?xf32> to tensor<?xf32, "row">
  %again = tensor.dim %cast, %c0 : tensor<?xf32, "row">
  %none = arith.cmpi eq, %again, %c0 : index
  scf.if %none {
    memref.dealloc %a : memref<4xf32>
  }
  %other = tensor.dim %u, %c0 : tensor<?xf32>
  %none_there = arith.cmpi eq, %other, %c0 : index
  scf.if %none_there {
    // expected-warning @below [possible-double-free] {{of %b is freed a second time}}
    memref.dealloc %b : memref<4xf32>
  }
  return
}

// A new buffer has the dimensions that it was given, and so have casts of it; one that is turned has them elsewhere.
func.func @as_given(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xf32>
  // expected-warning @below [possible-leak] {{%b}}
  %b = memref.alloc() : memref<4xf32>
  %more = arith.cmpi sgt, %n, %c4 : index
  scf.if %more {
    memref.dealloc %a : memref<4xf32>
    memref.dealloc %b : memref<4xf32>
  }
  %new = memref.alloc(%n, %m) : memref<?x?xf32>
  %cast = memref.cast %new : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %rows = memref.dim %cast, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %no_more = arith.cmpi sle, %rows, %c4 : index
  scf.if %no_more {
    memref.dealloc %a : memref<4xf32>
  }
  %turned = memref.transpose %new (i, j) -> (j, i) : memref<?x?xf32> to memref<?x?xf32, strided<[1, ?]>>
  %columns = memref.dim %turned, %c0 : memref<?x?xf32, strided<[1, ?]>>
  memref.dealloc %new : memref<?x?xf32>
  %few = arith.cmpi sle, %columns, %c4 : index
  scf.if %few {
    // expected-warning @below [possible-double-free] {{of %b is freed a second time}}
    memref.dealloc %b : memref<4xf32>
  }
  return
}

// It is never less than nothing.
func.func @below_zero(%m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  // expected-warning @below [leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  %n = memref.dim %m, %c0 : memref<?xf32>
  %less = arith.cmpi slt, %n, %c0 : index
  scf.if %less {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// Each round has another buffer, of another size.
func.func @rounds(%first: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%m = %first) -> (memref<?xf32>) {
    %b = memref.alloc() : memref<4xf32>
    %size = memref.dim %m, %c0 : memref<?xf32>
    %more = arith.cmpi sgt, %size, %c4 : index
    scf.if %more {
      memref.dealloc %b : memref<4xf32>
      // expected-warning @below [possible-double-free] {{of %a is freed a second time}}
      memref.dealloc %a : memref<4xf32>
    }
    %again = memref.dim %m, %c0 : memref<?xf32>
    %no_more = arith.cmpi sle, %again, %c4 : index
    scf.if %no_more {
      memref.dealloc %b : memref<4xf32>
    }
    %next = memref.subview %m[%c1] [%i] [%c1] : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
    %cast = memref.cast %next : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
    scf.yield %cast : memref<?xf32>
  }
  return
}

// What carries a buffer from round to round carries its size.
func.func @handed_round(%n: index, %first: memref<?xf32>, %second: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  %last:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%m = %first, %o = %second) -> (memref<?xf32>, memref<?xf32>) {
    %size = memref.dim %m, %c0 : memref<?xf32>
    %more = arith.cmpi sgt, %size, %c4 : index
    scf.if %more {
      // expected-warning @below [possible-double-free] {{of %a is freed a second time}}
      memref.dealloc %a : memref<4xf32>
    }
    scf.yield %o, %m : memref<?xf32>, memref<?xf32>
  }
  return
}

func.func private @if_more(%a: memref<4xf32>, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  %more = arith.cmpi sgt, %n, %c4 : index
  scf.if %more {
    // expected-remark @below [argument-free] {{%a}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}

func.func @called(%m: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xf32>
  call @if_more(%a, %m) : (memref<4xf32>, memref<?xf32>) -> ()
  %size = memref.dim %m, %c0 : memref<?xf32>
  %no_more = arith.cmpi sle, %size, %c4 : index
  scf.if %no_more {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
