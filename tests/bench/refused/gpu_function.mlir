// A buffer in a kernel.
gpu.module @kernels {
  gpu.func @kernel(%x: memref<256xi32>) kernel {
    %a = memref.alloc() : memref<256xi32>
    memref.copy %x, %a : memref<256xi32> to memref<256xi32>
    memref.copy %a, %x : memref<256xi32> to memref<256xi32>
    gpu.return
  }
}
