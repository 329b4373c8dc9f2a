// Reference-counted buffers: an increment makes one more decrement due.

func.func @counted(%x: f32) {
  %b = rc.alloc : !rc.buffer
  rc.increment %b : !rc.buffer
  rc.decrement %b : !rc.buffer
  rc.decrement %b : !rc.buffer
  return
}

func.func @one_too_many() {
  %b = rc.alloc : !rc.buffer
  rc.decrement %b : !rc.buffer
  // expected-error @below [double-free] {{%b}}
  rc.decrement %b : !rc.buffer
  return
}

func.func @one_too_few() {
  // expected-warning @below [leak] {{%b}}
  %b = rc.alloc : !rc.buffer
  rc.increment %b : !rc.buffer
  rc.decrement %b : !rc.buffer
  return
}

func.func @wrong_allocator() {
  %b = gpu.alloc () : memref<4xf32>
  // expected-error @below [mismatched-free] {{%b}}
  memref.dealloc %b : memref<4xf32>
  return
}
