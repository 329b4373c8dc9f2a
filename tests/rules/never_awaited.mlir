// Work in the background for which nothing waits uses its buffers, and its tag, until the end.

func.func @dma(%s: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // expected-warning @below [possible-leak] {{%d of 16 bytes is never freed, and nothing here waits for the work started on it}}
  %d = memref.alloc() : memref<4xf32, 2>
  // expected-warning @below [possible-leak] {{%t of 4 bytes is never freed, and nothing here waits}}
  %t = memref.alloc() : memref<1xi32>
  memref.dma_start %s[%c0], %d[%c0], %c4, %t[%c0] : memref<4xf32>, memref<4xf32, 2>, memref<1xi32>
  return
}

func.func @awaited(%s: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // expected-warning @below [leak] {{%d of 16 bytes is never freed}}
  %d = memref.alloc() : memref<4xf32, 2>
  // expected-warning @below [leak] {{%t of 4 bytes is never freed}}
  %t = memref.alloc() : memref<1xi32>
  memref.dma_start %s[%c0], %d[%c0], %c4, %t[%c0] : memref<4xf32>, memref<4xf32, 2>, memref<1xi32>
  memref.dma_wait %t[%c0], %c4 : memref<1xi32>
  return
}

func.func @affine_dma(%s: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // expected-warning @below [possible-leak] {{%t of 4 bytes is never freed, and}}
  %t = memref.alloc() : memref<1xi32>
  // expected-warning @below [possible-leak] {{%d of 16 bytes is never freed, and}}
  %d = memref.alloc() : memref<4xf32, 2>
  affine.dma_start %s[%c0], %d[%c0], %t[%c0], %c4 : memref<4xf32>, memref<4xf32, 2>, memref<1xi32>
  return
}

func.func @device(%x: f32, %d: memref<4xf32>) {
  // expected-warning @below [possible-leak] {{%h of 16 bytes is never freed, and}}
  %h = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%h : memref<4xf32>)
  %t0 = gpu.wait async
  %t = gpu.memcpy async [%t0] %d, %h : memref<4xf32>, memref<4xf32>
  return
}

func.func @tasks(%x: f32) {
  // expected-warning @below [possible-leak] {{%h of 16 bytes is never freed, and}}
  %h = memref.alloc() : memref<4xf32>
  %t = async.execute {
    linalg.fill ins(%x : f32) outs(%h : memref<4xf32>)
    async.yield
  }
  return
}

func.func @groups(%s: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  // expected-warning @below [possible-leak] {{%d of 16 bytes is never freed, and}}
  %d = memref.alloc() : memref<4xf32, 3>
  %t = nvgpu.device_async_copy %s[%c0], %d[%c0], 4 : memref<4xf32> to memref<4xf32, 3>
  %g = nvgpu.device_async_create_group %t
  return
}

// What waits for this copy names no buffer.
func.func @counted(%s: memref<64xi8, #gpu.address_space<global>>, %d: memref<64xi8, 3>) {
  %c0 = arith.constant 0 : index
  %l = memref.alloc() : memref<64xi8, #gpu.address_space<workgroup>>
  amdgpu.gather_to_lds %s[%c0], %l[%c0] : i8, memref<64xi8, #gpu.address_space<global>>, memref<64xi8, #gpu.address_space<workgroup>>
  amdgpu.lds_barrier
  memref.dealloc %l : memref<64xi8, #gpu.address_space<workgroup>>
  return
}

func.func private @start(%a: memref<4xf32>, %x: f32) {
  %t = async.execute {
    linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
    async.yield
  }
  return
}

func.func private @begin(%a: memref<4xf32>, %x: f32) {
  func.call @start(%a, %x) : (memref<4xf32>, f32) -> ()
  return
}

func.func @begun_by_functions(%x: f32) {
  // expected-warning @below [possible-leak] {{%h of 16 bytes is never freed, and nothing here waits}}
  %h = memref.alloc() : memref<4xf32>
  func.call @begin(%h, %x) : (memref<4xf32>, f32) -> ()
  return
}

func.func private @ticket(%a: memref<4xf32>, %x: f32) -> !async.token {
  %t = async.execute {
    linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
    async.yield
  }
  return %t : !async.token
}

func.func @awaited_by_the_caller(%x: f32) {
  // expected-warning @below [leak] {{%h of 16 bytes is never freed}}
  %h = memref.alloc() : memref<4xf32>
  %t = func.call @ticket(%h, %x) : (memref<4xf32>, f32) -> !async.token
  async.await %t : !async.token
  return
}

func.func @not_awaited_by_the_caller(%x: f32) {
  // expected-warning @below [possible-leak] {{%h of 16 bytes is never freed, and nothing here waits}}
  %h = memref.alloc() : memref<4xf32>
  %t = func.call @ticket(%h, %x) : (memref<4xf32>, f32) -> !async.token
  return
}
