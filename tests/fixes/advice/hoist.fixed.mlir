// config: select = ["loop-invariant-alloc"]
// Allocation and deallocation leave the loop together. `left` says which stay, and why.

func.func @rows(%input: memref<16x8xf32>, %zero: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %row = memref.alloc() : memref<8xf32>  // one row
  scf.for %i = %c0 to %c16 step %c1 {
    linalg.fill ins(%zero : f32) outs(%row : memref<8xf32>)
    %from = memref.subview %input[%i, 0] [1, 8] [1, 1] : memref<16x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    memref.copy %row, %from : memref<8xf32> to memref<8xf32, strided<[1], offset: ?>>
  }
  memref.dealloc %row : memref<8xf32>  // is done
  return
}

// Out of both loops, under a name that is free there.
func.func @two_loops(%x: memref<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t_0 = memref.alloc() : memref<4x4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    affine.for %j = 0 to 3 {
      memref.copy %x, %t_0 : memref<4x4xf32> to memref<4x4xf32>
      %v = memref.load %t_0[%i, %j] : memref<4x4xf32>
      memref.store %v, %x[%j, %i] : memref<4x4xf32>
    }
  }
  memref.dealloc %t_0 : memref<4x4xf32>
  %t = memref.alloc() : memref<4x4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (b, a)>],
        iterator_types = ["parallel", "parallel"]} ins(%x : memref<4x4xf32>) outs(%t : memref<4x4xf32>) {
    ^bb0(%one: f32, %old: f32):
      linalg.yield %one : f32
    }
    memref.copy %t, %x : memref<4x4xf32> to memref<4x4xf32>
  }
  memref.dealloc %t : memref<4x4xf32>
  return
}

// Every element is stored to before one is loaded.
func.func @elements(%x: memref<6xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %t = memref.alloc(%c6) : memref<?xf32>
  scf.for %i = %c0 to %c6 step %c1 {
    scf.for %j = %c0 to %c6 step %c1 {
      memref.store %f, %t[%j] : memref<?xf32>
    }
    %v = memref.load %t[%i] : memref<?xf32>
    memref.store %v, %x[%i] : memref<6xf32>
  }
  memref.dealloc %t : memref<?xf32>
  return
}

func.func @what_needs_a_look(%x: memref<8xf32>, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<8xf32>  // left: the loop may run zero times
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    memref.dealloc %a : memref<8xf32>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %b = memref.alloc() : memref<8xf32>  // left: an iteration may read what the one before it wrote
    memref.store %f, %b[%i] : memref<8xf32>
    memref.copy %b, %x : memref<8xf32> to memref<8xf32>
    memref.dealloc %b : memref<8xf32>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %c = memref.alloc() : memref<8xf32>  // left: an iteration may read what the one before it wrote
    scf.for %j = %c1 to %c4 step %c1 {
      memref.store %f, %c[%j] : memref<8xf32>
    }
    memref.copy %c, %x : memref<8xf32> to memref<8xf32>
    memref.dealloc %c : memref<8xf32>
  }
  return
}

// While the loop takes other memory, too, the buffer would not be there for nothing.
func.func @beside_others(%x: memref<8xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.alloc() : memref<8xf32>  // left: the buffer would live while the loop takes other memory
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    memref.dealloc %a : memref<8xf32>
    %b = memref.alloc(%i) : memref<?xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<?xf32>)
    memref.dealloc %b : memref<?xf32>
  }
  return
}

// Nothing is said of parallel loops, and no buffer leaves one.
func.func @parallel(%x: memref<4x8xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %a = memref.alloc() : memref<8xf32>
    scf.for %j = %c0 to %c4 step %c1 {
      linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
      %v = memref.load %a[%j] : memref<8xf32>
      memref.store %v, %x[%i, %j] : memref<4x8xf32>
    }
    memref.dealloc %a : memref<8xf32>
  }
  return
}
