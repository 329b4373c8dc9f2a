// Stack memory that loops take is told from a limit on, by what they take in all, where that is known.
// config: limits.stack-growth=128

func.func @below_the_limit(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  scf.for %i = %c0 to %c7 step %c1 {
    %a = memref.alloca() : memref<4xf32>
    memref.store %x, %a[%c0] : memref<4xf32>
  }
  return
}

func.func @at_the_limit(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    // expected-warning @below [stack-growth] {{16 bytes more in each of 8 iterations, 128 bytes in all}}
    %a = memref.alloca() : memref<4xf32>
    memref.store %x, %a[%c0] : memref<4xf32>
  }
  return
}

// Loops inside each other count together.
func.func @nested(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    affine.for %j = 0 to 2 {
      // expected-warning @below [stack-growth] {{16 bytes more in each of 8 iterations, 128 bytes in all}}
      %a = memref.alloca() : memref<4xf32>
      memref.store %x, %a[%c0] : memref<4xf32>
    }
  }
  return
}

// Where a scope ends between them, only those inside do.
func.func @scope_between(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    memref.alloca_scope {
      affine.for %j = 0 to 2 {
        %a = memref.alloca() : memref<4xf32>
        memref.store %x, %a[%c0] : memref<4xf32>
      }
    }
  }
  return
}

// One iteration is no more than none.
func.func @once(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    %a = memref.alloca() : memref<64xf32>
    memref.store %x, %a[%c0] : memref<64xf32>
  }
  return
}

// How often this runs is not known: it takes more than any limit.
func.func @unknown(%x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-warning @below [stack-growth] {{4 bytes more in each iteration}}
    %a = memref.alloca() : memref<f32>
    memref.store %x, %a[] : memref<f32>
  }
  return
}

// So is the size of this.
func.func @unknown_size(%x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-warning @below [stack-growth] {{4*%n bytes more in each of 4 iterations}}
    %a = memref.alloca(%n) : memref<?xf32>
    memref.store %x, %a[%c0] : memref<?xf32>
  }
  return
}

// Buffers of 0 bytes never count.
func.func @empty(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloca() : memref<0xf32>
    %d = memref.dim %a, %c0 : memref<0xf32>
  }
  return
}

// A loop made of blocks.
func.func @blocks(%x: f32, %c: i1) {
  cf.br ^loop
^loop:
  // expected-warning @below [stack-growth] {{4 bytes more in each iteration}}
  %a = memref.alloca() : memref<f32>
  memref.store %x, %a[] : memref<f32>
  cf.cond_br %c, ^loop, ^end
^end:
  return
}
