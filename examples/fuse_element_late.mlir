// fuse_element.mlir with a third loop nest, over other buffers, between the last read of the temporary and its
// deallocation: the temporary is held although it is not needed.

func.func @fuse_element_late(%lhs: memref<?x5xf32>, %rhs: memref<?x5xf32>,
                             %from: memref<?x5xf32>, %to: memref<?x5xf32>) -> memref<?x5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %lhs_rows = memref.dim %lhs, %c0 : memref<?x5xf32>
  %rhs_rows = memref.dim %rhs, %c0 : memref<?x5xf32>
  %root = memref.alloc(%lhs_rows) : memref<?x5xf32>
  scf.for %i = %c0 to %lhs_rows step %c1 {
    scf.for %j = %c0 to %c5 step %c1 {
      %x = memref.load %lhs[%i, %j] : memref<?x5xf32>
      %y = math.sqrt %x : f32
      memref.store %y, %root[%i, %j] : memref<?x5xf32>
    }
  }
  %rows = arith.maxsi %lhs_rows, %rhs_rows : index
  %sum = memref.alloc(%rows) : memref<?x5xf32>
  %one_row = arith.cmpi eq, %lhs_rows, %c1 : index
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %j = %c0 to %c5 step %c1 {
      %row = arith.select %one_row, %c0, %i : index
      %x = memref.load %root[%row, %j] : memref<?x5xf32>
      %y = memref.load %rhs[%i, %j] : memref<?x5xf32>
      %z = arith.addf %x, %y : f32
      memref.store %z, %sum[%i, %j] : memref<?x5xf32>
    }
  }
  %other_rows = memref.dim %from, %c0 : memref<?x5xf32>
  scf.for %i = %c0 to %other_rows step %c1 {
    scf.for %j = %c0 to %c5 step %c1 {
      %x = memref.load %from[%i, %j] : memref<?x5xf32>
      %y = math.absf %x : f32
      memref.store %y, %to[%i, %j] : memref<?x5xf32>
    }
  }
  memref.dealloc %root : memref<?x5xf32>
  return %sum : memref<?x5xf32>
}
