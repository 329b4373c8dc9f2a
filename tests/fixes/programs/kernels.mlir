// Every thread has a buffer of its own.
func.func @parallel(%x: memref<8xf32>) {
  omp.parallel {
    %n = memref.alloc() : memref<8xf32>
    memref.copy %x, %n : memref<8xf32> to memref<8xf32>
    omp.terminator
  }
  return
}

gpu.module @kernels {
  gpu.func @kernel(%x: memref<8xf32>) kernel {
    %n = memref.alloc() : memref<8xf32>
    memref.copy %x, %n : memref<8xf32> to memref<8xf32>
    gpu.return
  }
}
