// Memory that is touched after it was freed.

func.func @load(%i: index) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  // expected-note @above {{allocated}}
  %f = arith.constant 1.0 : f32
  memref.store %f, %a[%i] : memref<4xf32>
  // expected-note @below {{freed}}
  memref.dealloc %a : memref<4xf32>
  // expected-error @below [use-after-free] {{%a}}
  %x = memref.load %a[%i] : memref<4xf32>
  return %x : f32
}
