// cond_branch.mlir repaired: a flag travels beside the buffer and says whether this function owns it.

func.func @cond_branch_owned(%cond: i1, %given: memref<2xf32>, %result: memref<2xf32>) {
  %true = arith.constant true
  %false = arith.constant false
  cf.cond_br %cond, ^given, ^fresh
^given:
  cf.br ^join(%given, %false : memref<2xf32>, i1)
^fresh:
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %alloc = memref.alloc() : memref<2xf32>
  memref.store %one, %alloc[%c0] : memref<2xf32>
  memref.store %one, %alloc[%c1] : memref<2xf32>
  cf.br ^join(%alloc, %true : memref<2xf32>, i1)
^join(%source: memref<2xf32>, %own: i1):
  memref.copy %source, %result : memref<2xf32> to memref<2xf32>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %source
      : memref<2xf32> -> memref<f32>, index, index, index
  scf.if %own {
    memref.dealloc %base : memref<f32>
  }
  return
}
