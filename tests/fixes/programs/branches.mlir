// The last use is in one branch: free there, and where the other begins.
func.func @two_branches(%c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<1048576xf32>
  memref.store %f, %a[%c0] : memref<1048576xf32>
  %r = scf.if %c -> f32 {
    %v = memref.load %a[%c0] : memref<1048576xf32>
    %b = memref.alloc() : memref<1048576xf32>
    memref.store %v, %b[%c0] : memref<1048576xf32>
    %w = memref.load %b[%c0] : memref<1048576xf32>
    scf.yield %w : f32
  } else {
    // nothing of %a is needed here
    scf.yield %f : f32
  }
  return %r : f32
}

// There is no else yet.
func.func @no_else(%c: i1, %out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  scf.if %c {
    memref.copy %a, %out : memref<8xf32> to memref<8xf32>
    %b = memref.alloc() : memref<8xf32> // much
    memref.copy %out, %b : memref<8xf32> to memref<8xf32>
  }
  return
}

// Nothing is allocated in the branches: once behind them is enough.
func.func @behind(%c: i1, %out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  scf.if %c {
    memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  }
  memref.copy %out, %out : memref<8xf32> to memref<8xf32>
  return
}
