// No deallocations yet: what upstream's pipeline and what `memlane check --fix` make of it is compared in
// docs/guides/upstream.md.
func.func @main(%in: memref<1024xf32>, %out: memref<1024xf32>, %twice: i1) {
  %copy = memref.alloc() : memref<1024xf32>
  memref.copy %in, %copy : memref<1024xf32> to memref<1024xf32>
  scf.if %twice {
    linalg.add ins(%copy, %copy : memref<1024xf32>, memref<1024xf32>) outs(%out : memref<1024xf32>)
    %more = memref.alloc() : memref<1024xf32>
    linalg.mul ins(%in, %in : memref<1024xf32>, memref<1024xf32>) outs(%more : memref<1024xf32>)
    linalg.sub ins(%more, %out : memref<1024xf32>, memref<1024xf32>) outs(%out : memref<1024xf32>)
  }
  return
}
