// What your pass prints must be clean: memlane exits with 1 where it is not.
// REQUIRES: memlane, mlir-opt
// RUN: mlir-opt --buffer-deallocation-pipeline %s | %memlane -

func.func @sum(%in: memref<16xf32>, %out: memref<16xf32>) {
  %copy = memref.alloc() : memref<16xf32>
  memref.copy %in, %copy : memref<16xf32> to memref<16xf32>
  linalg.add ins(%copy, %in : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  return
}
