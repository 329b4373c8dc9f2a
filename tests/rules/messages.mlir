// Messages: a request stands for the buffer's use; sending is no work for nothing, nor is receiving what nobody reads.
// config: extend-select=["unused-buffer"]

func.func @sent(%v: f32, %i: index, %rank: i32, %tag: i32, %comm: !mpi.comm) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  mpi.send(%a, %tag, %rank, %comm) : memref<4xf32>, i32, i32
  memref.dealloc %a : memref<4xf32>
  return
}

func.func @received(%rank: i32, %tag: i32, %comm: !mpi.comm) {
  %a = memref.alloc() : memref<4xf32>
  mpi.recv(%a, %tag, %rank, %comm) : memref<4xf32>, i32, i32
  memref.dealloc %a : memref<4xf32>
  return
}

func.func @waited_for(%v: f32, %i: index, %rank: i32, %tag: i32, %comm: !mpi.comm) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  %r = mpi.isend(%a, %tag, %rank, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
  mpi.wait(%r) : !mpi.request
  memref.dealloc %a : memref<4xf32>
  return
}

func.func @freed_while_it_is_sent(%v: f32, %i: index, %rank: i32, %tag: i32, %comm: !mpi.comm) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  %r = mpi.isend(%a, %tag, %rank, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
  // expected-error @below [free-before-wait] {{%a}}
  memref.dealloc %a : memref<4xf32>
  mpi.wait(%r) : !mpi.request
  return
}

func.func @uninitialized(%rank: i32, %tag: i32, %comm: !mpi.comm) {
  %a = memref.alloc() : memref<4xf32>
  // expected-warning @below [uninitialized-read] {{%a}}
  mpi.send(%a, %tag, %rank, %comm) : memref<4xf32>, i32, i32
  memref.dealloc %a : memref<4xf32>
  return
}

func.func @nothing(%v: f32, %i: index) {
  // expected-remark @below [unused-buffer] {{only written}}
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}
