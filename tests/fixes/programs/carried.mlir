// Loops that carry buffers: what is overwritten is freed in the body, what comes out after its use.
func.func @for(%n: index, %arg: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = memref.alloc() : memref<8xf32>
  memref.copy %arg, %init : memref<8xf32> to memref<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %init) -> memref<8xf32> {
    %new = memref.alloc() : memref<8xf32>
    memref.copy %m, %new : memref<8xf32> to memref<8xf32>
    scf.yield %new : memref<8xf32>
  }
  %v = memref.load %r[%c0] : memref<8xf32>
  return %v : f32
}

func.func @swap(%n: index, %arg: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %A = memref.alloc() : memref<8xf32>
  %B = memref.alloc() : memref<8xf32>
  memref.copy %arg, %A : memref<8xf32> to memref<8xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %A, %y = %B) -> (memref<8xf32>, memref<8xf32>) {
    memref.copy %x, %y : memref<8xf32> to memref<8xf32>
    scf.yield %y, %x : memref<8xf32>, memref<8xf32>
  }
  %v = memref.load %r#0[%c0] : memref<8xf32>
  return %v : f32
}

func.func @affine(%arg: memref<8xf32>) -> f32 {
  %init = memref.alloc() : memref<8xf32>
  memref.copy %arg, %init : memref<8xf32> to memref<8xf32>
  %r = affine.for %i = 0 to 4 iter_args(%m = %init) -> memref<8xf32> {
    %new = memref.alloc() : memref<8xf32>
    memref.copy %m, %new : memref<8xf32> to memref<8xf32>
    affine.yield %new : memref<8xf32>
  }
  %c0 = arith.constant 0 : index
  %v = memref.load %r[%c0] : memref<8xf32>
  return %v : f32
}

// Of a buffer of an earlier round, which has no name any more, it does not matter whether it had elements.
func.func @none_of_a_number(%n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %large = arith.cmpi slt, %three, %n : index
  %a = memref.alloc(%n) : memref<?xf32>
  %b = scf.if %large -> (memref<?xf32>) {
    scf.yield %a : memref<?xf32>
  } else {
    scf.yield %a : memref<?xf32>
  }
  scf.forall (%i) in (4) {
    %size = memref.dim %a, %zero : memref<?xf32>
    %c = memref.alloc(%size) : memref<?xf32>
    %last = scf.for %j = %zero to %n step %one iter_args(%held = %c) -> (memref<?xf32>) {
      scf.yield %b : memref<?xf32>
    }
  }
  return
}
