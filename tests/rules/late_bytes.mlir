// config: limits.late-bytes=16

func.func @small(%x: memref<4xf32>, %y: memref<4xf32>) {
  %a = memref.alloc() : memref<3xf32>
  memref.copy %y, %x : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<3xf32>
  return
}

func.func @large(%x: memref<4xf32>, %y: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %y, %x : memref<4xf32> to memref<4xf32>
  // expected-warning @below [late-free] {{%a of 16 bytes}}
  memref.dealloc %a : memref<4xf32>
  return
}

// Of a size that is known at run time only it may be large.
func.func @dynamic(%n: index, %x: memref<4xf32>, %y: memref<4xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %y, %x : memref<4xf32> to memref<4xf32>
  // expected-warning @below [late-free] {{%a of 4*%n bytes}}
  memref.dealloc %a : memref<?xf32>
  return
}
