// Private functions that return a new buffer on one path and somebody else's on another return a flag with it.
func.func private @cond() -> i1

func.func private @pick(%x: memref<8xf32>) -> memref<8xf32> {
  %c = func.call @cond() : () -> i1
  %r = scf.if %c -> (memref<8xf32>) {
    %new = memref.alloc() : memref<8xf32>
    memref.copy %x, %new : memref<8xf32> to memref<8xf32>
    scf.yield %new : memref<8xf32>
  } else {
    scf.yield %x : memref<8xf32>
  }
  return %r : memref<8xf32>  // whose?
}

func.func @twice(%x: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = func.call @pick(%x) : (memref<8xf32>) -> memref<8xf32>
  %v = memref.load %a[%c0] : memref<8xf32>
  %b = func.call @pick(%x) : (memref<8xf32>) -> memref<8xf32>  // comes with a flag of its own
  %w = memref.load %b[%c0] : memref<8xf32>
  %s = arith.addf %v, %w : f32
  return %s : f32
}

// Several results, of which the second is meant; a return in each block.
func.func private @blocks(%x: memref<8xf32>, %f: f32) -> (f32, memref<8xf32>) {
  %c = func.call @cond() : () -> i1
  cf.cond_br %c, ^new, ^old
^new:
  %new = memref.alloc() : memref<8xf32>
  memref.copy %x, %new : memref<8xf32> to memref<8xf32>
  return %f, %new : f32, memref<8xf32>
^old:
  return %f, %x : f32, memref<8xf32>
}

func.func @pack(%x: memref<8xf32>, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r:2 = func.call @blocks(%x, %f) : (memref<8xf32>, f32) -> (f32, memref<8xf32>)
  %v = memref.load %r#1[%c0] : memref<8xf32>
  %s = arith.addf %r#0, %v : f32
  return %s : f32
}

// A function that hands on what another gives.
func.func private @through(%y: memref<8xf32>) -> memref<8xf32> {
  %p = func.call @deep(%y) : (memref<8xf32>) -> memref<8xf32>
  return %p : memref<8xf32>
}

func.func private @deep(%x: memref<8xf32>) -> memref<8xf32> {
  %c = func.call @cond() : () -> i1
  %r = scf.if %c -> memref<8xf32> {
    %new = memref.alloc() : memref<8xf32>
    memref.copy %x, %new : memref<8xf32> to memref<8xf32>
    scf.yield %new : memref<8xf32>
  } else {
    scf.yield %x : memref<8xf32>
  }
  return %r : memref<8xf32>
}

func.func @handed_on(%x: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = func.call @through(%x) : (memref<8xf32>) -> memref<8xf32>
  %v = memref.load %a[%c0] : memref<8xf32>
  return %v : f32
}

// The flag is there already, and nobody has asked for it.
func.func private @flagged(%x: memref<8xf32>) -> (memref<8xf32>, i1) {
  %c = func.call @cond() : () -> i1
  %r = scf.if %c -> (memref<8xf32>) {
    %new = memref.alloc() : memref<8xf32>
    memref.copy %x, %new : memref<8xf32> to memref<8xf32>
    scf.yield %new : memref<8xf32>
  } else {
    scf.yield %x : memref<8xf32>
  }
  return %r, %c : memref<8xf32>, i1
}

func.func @asked(%x: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a, %mine = func.call @flagged(%x) : (memref<8xf32>) -> (memref<8xf32>, i1)
  %v = memref.load %a[%c0] : memref<8xf32>
  return %v : f32
}
