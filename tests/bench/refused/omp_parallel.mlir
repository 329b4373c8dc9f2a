// A buffer of each thread: upstream leaves it to leak.
func.func @main(%x: memref<256xi32>) {
  omp.parallel {
    %a = memref.alloc() : memref<256xi32>
    memref.copy %x, %a : memref<256xi32> to memref<256xi32>
    memref.copy %a, %x : memref<256xi32> to memref<256xi32>
    omp.terminator
  }
  return
}
