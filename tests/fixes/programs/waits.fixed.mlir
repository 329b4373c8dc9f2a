// Work that goes on in the background uses the buffer until it is waited for.
func.func @waits(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %token = async.execute {
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    async.yield
  }
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  async.await %token : !async.token
  memref.dealloc %a : memref<8xf32>
  memref.copy %x, %x : memref<8xf32> to memref<8xf32>
  return
}
