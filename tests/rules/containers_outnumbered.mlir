// Containers that loops fill and empty: where fewer buffers are freed than are made, some are left.

func.func @one_is_forgotten() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %box = memref.alloc() : memref<4xmemref<4xf32>>
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-warning @below [possible-leak] {{%a}}
    %a = memref.alloc() : memref<4xf32>
    memref.store %a, %box[%i] : memref<4xmemref<4xf32>>
  }
  scf.for %i = %c0 to %c3 step %c1 {
    %b = memref.load %box[%i] : memref<4xmemref<4xf32>>
    memref.dealloc %b : memref<4xf32>
  }
  memref.dealloc %box : memref<4xmemref<4xf32>>
  return
}

func.func @all_freed() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %box = memref.alloc() : memref<4xmemref<4xf32>>
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.store %a, %box[%i] : memref<4xmemref<4xf32>>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %b = memref.load %box[%i] : memref<4xmemref<4xf32>>
    memref.dealloc %b : memref<4xf32>
  }
  memref.dealloc %box : memref<4xmemref<4xf32>>
  return
}

func.func @unknown(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %box = memref.alloc() : memref<4xmemref<4xf32>>
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.store %a, %box[%i] : memref<4xmemref<4xf32>>
  }
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.load %box[%i] : memref<4xmemref<4xf32>>
    memref.dealloc %b : memref<4xf32>
  }
  memref.dealloc %box : memref<4xmemref<4xf32>>
  return
}

func.func @two_by_two() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %box = memref.alloc() : memref<2x2xmemref<4xf32>>
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      // expected-warning @below [possible-leak] {{%a}}
      %a = memref.alloc() : memref<4xf32>
      memref.store %a, %box[%i, %j] : memref<2x2xmemref<4xf32>>
    }
  }
  scf.for %i = %c0 to %c2 step %c1 {
    %b = memref.load %box[%i, %c0] : memref<2x2xmemref<4xf32>>
    memref.dealloc %b : memref<4xf32>
  }
  memref.dealloc %box : memref<2x2xmemref<4xf32>>
  return
}

func.func @made_in_some_rounds(%p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %box = memref.alloc() : memref<4xmemref<4xf32>>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.if %p {
      %a = memref.alloc() : memref<4xf32>
      memref.store %a, %box[%i] : memref<4xmemref<4xf32>>
    }
  }
  scf.for %i = %c0 to %c3 step %c1 {
    %b = memref.load %box[%i] : memref<4xmemref<4xf32>>
    memref.dealloc %b : memref<4xf32>
  }
  memref.dealloc %box : memref<4xmemref<4xf32>>
  return
}
