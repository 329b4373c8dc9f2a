// What moves memory, or makes it known to a device, does not ask what is in it.

func.func @grown(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %four = memref.alloc() : memref<4xf32>
  %eight = memref.realloc %four : memref<4xf32> to memref<8xf32>
  memref.store %x, %eight[%c0] : memref<8xf32>
  %y = memref.load %eight[%c0] : memref<8xf32>
  memref.dealloc %eight : memref<8xf32>
  return %y : f32
}

func.func @freed_before() {
  %four = memref.alloc() : memref<4xf32>
  memref.dealloc %four : memref<4xf32>
  // expected-error @+2 [use-after-free] {{%four is used after}}
  // expected-error @below [double-free] {{of %four is freed a second time}}
  %eight = memref.realloc %four : memref<4xf32> to memref<8xf32>
  memref.dealloc %eight : memref<8xf32>
  return
}

func.func @registered(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %host = memref.alloc() : memref<16xf32>
  %any = memref.cast %host : memref<16xf32> to memref<*xf32>
  gpu.host_register %any : memref<*xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %x, %host[%tx] : memref<16xf32>
    gpu.terminator
  }
  gpu.host_unregister %any : memref<*xf32>
  %y = memref.load %host[%c0] : memref<16xf32>
  memref.dealloc %host : memref<16xf32>
  return %y : f32
}

func.func @registered_late() {
  %host = memref.alloc() : memref<16xf32>
  %any = memref.cast %host : memref<16xf32> to memref<*xf32>
  memref.dealloc %host : memref<16xf32>
  // expected-error @below [use-after-free] {{%any is used after}}
  gpu.host_register %any : memref<*xf32>
  return
}
