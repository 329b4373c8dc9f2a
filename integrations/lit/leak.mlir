// A defect that is known, and pinned down with FileCheck.
// REQUIRES: memlane, FileCheck, not
// RUN: not %memlane %s | FileCheck %s

func.func @sum(%in: memref<16xf32>, %out: memref<16xf32>) {
  // CHECK: leak.mlir:[[# @LINE + 1]]:11: warning[leak]: buffer %copy of 64 bytes is never freed
  %copy = memref.alloc() : memref<16xf32>
  memref.copy %in, %copy : memref<16xf32> to memref<16xf32>
  linalg.add ins(%copy, %in : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  return
}
