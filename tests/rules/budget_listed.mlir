// A peak beyond its budget names its buffers: up to five, the largest ones.
// config: budget={"default"="8 B"}
// config: select=["budget-exceeded"]

// expected-warning @below [budget-exceeded] {{peak of 60 B in the default memory space exceeds its budget by 52 B}}
func.func @five(%x: f32) {
  // expected-note @below {{%b1 takes 4 B}}
  %b1 = memref.alloc() : memref<1xf32>
  // expected-note @below {{%b2 takes 8 B}}
  %b2 = memref.alloc() : memref<2xf32>
  // expected-note @below {{%b3 takes 12 B}}
  %b3 = memref.alloc() : memref<3xf32>
  // expected-note @below {{%b4 takes 16 B}}
  %b4 = memref.alloc() : memref<4xf32>
  // expected-note @+2 {{the peak}}
  // expected-note @below {{%b5 takes 20 B}}
  %b5 = memref.alloc() : memref<5xf32>
  memref.dealloc %b1 : memref<1xf32>
  memref.dealloc %b2 : memref<2xf32>
  memref.dealloc %b3 : memref<3xf32>
  memref.dealloc %b4 : memref<4xf32>
  memref.dealloc %b5 : memref<5xf32>
  return
}

// expected-warning @below [budget-exceeded] {{peak of 84 B in the default memory space exceeds its budget by 76 B}}
func.func @six(%x: f32) {
  // expected-note @below {{%b3 takes 12 B}}
  %b3 = memref.alloc() : memref<3xf32>
  %b1 = memref.alloc() : memref<1xf32>
  // expected-note @below {{%b2 takes 8 B}}
  %b2 = memref.alloc() : memref<2xf32>
  // expected-note @below {{%b4 takes 16 B}}
  %b4 = memref.alloc() : memref<4xf32>
  // expected-note @below {{%b6 takes 24 B}}
  %b6 = memref.alloc() : memref<6xf32>
  // expected-note @+2 {{the peak}}
  // expected-note @below {{%b5 takes 20 B}}
  %b5 = memref.alloc() : memref<5xf32>
  memref.dealloc %b1 : memref<1xf32>
  memref.dealloc %b2 : memref<2xf32>
  memref.dealloc %b3 : memref<3xf32>
  memref.dealloc %b4 : memref<4xf32>
  memref.dealloc %b5 : memref<5xf32>
  memref.dealloc %b6 : memref<6xf32>
  return
}
