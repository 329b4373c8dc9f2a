// What a type says of a dimension decides ways: it is the number that is asked for.

func.func @of_a_buffer(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc(%n) : memref<4x?xf32>
  %known = memref.dim %a, %c0 : memref<4x?xf32>
  %right = arith.cmpi eq, %known, %c4 : index
  scf.if %right {
    memref.dealloc %a : memref<4x?xf32>  // expected-warning [late-free] {{is held over 1 operation}}
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
