// The buffer that comes in is the caller's, those that follow are ours: a flag goes round.
func.func @renewed(%x: memref<8xf32>) {
  %false = arith.constant false
  %r, %r_owned = affine.for %i = 0 to 10 iter_args(%m = %x, %m_owned = %false) -> (memref<8xf32>, i1) {
    %n = memref.alloc() : memref<8xf32>
    memref.copy %m, %n : memref<8xf32> to memref<8xf32>
    scf.if %m_owned {
      memref.dealloc %m : memref<8xf32>
    }
    %true = arith.constant true
    affine.yield %n, %true : memref<8xf32>, i1
  }
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %r : memref<8xf32>
  return
}
