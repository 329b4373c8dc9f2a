// Through aliases, calls and containers of control flow.

func.func @through_a_view(%i: index, %f: f32) {
  %a = memref.alloc() : memref<8xf32>
  %v = memref.subview %a[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  memref.dealloc %a : memref<8xf32>
  // expected-error @below [use-after-free] {{%v}}
  memref.store %f, %v[%i] : memref<4xf32, strided<[1]>>
  return
}

func.func private @free_it(%x: memref<4xf32>) {
  // expected-remark @below [argument-free] {{frees its argument}}
  memref.dealloc %x : memref<4xf32>
  return
}

func.func @freed_by_a_callee(%i: index, %f: f32) {
  %a = memref.alloc() : memref<4xf32>
  func.call @free_it(%a) : (memref<4xf32>) -> ()
  // expected-error @below [use-after-free] {{%a}}
  memref.store %f, %a[%i] : memref<4xf32>
  return
}

func.func @on_some_path(%c: i1, %i: index, %f: f32) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  // expected-warning @below [possible-use-after-free] {{%a}}
  %x = memref.load %a[%i] : memref<4xf32>
  scf.if %c {
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// Returned, and freed before.
func.func @handed_out() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  // expected-error @below [use-after-free] {{%a}}
  return %a : memref<4xf32>
}

// The size of a freed buffer is in its descriptor, not in its memory.
func.func @its_size_is_still_known(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  %d = memref.dim %a, %c0 : memref<?xf32>
  return %d : index
}
