// An atomic write in custom form writes to what its first operand points to: `%a = %f` defines no name there.

func.func @written_behind_the_free(%f: f32) {
  %a = memref.alloc() : memref<f32>
  memref.dealloc %a : memref<f32>
  // expected-error @below [use-after-free] {{%a}}
  omp.atomic.write %a = %f : memref<f32>, f32
  return
}

func.func @by_openacc(%f: f32, %c: i1) {
  %a = memref.alloc() : memref<f32>
  memref.dealloc %a : memref<f32>
  // expected-error @below [use-after-free] {{%a}}
  acc.atomic.write if(%c) %a = %f : memref<f32>, f32
  return
}

func.func @captured(%f: f32, %v: memref<f32>) {
  %a = memref.alloc() : memref<f32>
  memref.dealloc %a : memref<f32>
  omp.atomic.capture {
    // expected-error @below [use-after-free] {{%a}}
    omp.atomic.read %v = %a : memref<f32>, memref<f32>, f32
    // expected-error @below [use-after-free] {{%a}}
    omp.atomic.write %a = %f : memref<f32>, f32
  }
  return
}

func.func @read_after_it(%f: f32) -> (f32, f32) {
  %a = memref.alloc() : memref<f32>
  omp.atomic.write %a = %f : memref<f32>, f32
  %g = memref.load %a[] : memref<f32>
  memref.dealloc %a : memref<f32>
  %b = memref.alloc() : memref<f32>
  acc.atomic.write %b = %f : memref<f32>, f32
  %h = memref.load %b[] : memref<f32>
  memref.dealloc %b : memref<f32>
  return %g, %h : f32, f32
}
