// Where a dimension is known to be zero nothing is in the buffer that could be read: what fills it in rounds has none.

func.func @lowered_fill_of_nothing(%n: index, %x: f32, %to: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.cmpi eq, %n, %c0 : index
  cf.cond_br %none, ^make, ^end
^make:
  %a = memref.alloc(%n) : memref<?xf32>
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^filled
^body:
  memref.store %x, %a[%i] : memref<?xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^filled:
  memref.copy %a, %to : memref<?xf32> to memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  cf.br ^end
^end:
  return
}

// A dimension below zero is one that no program has: there are no elements either.
func.func @less_than_one(%n: index, %x: f32, %to: memref<?x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %few = arith.cmpi slt, %n, %c1 : index
  scf.if %few {
    %a = memref.alloc(%n) : memref<?x2xf32>
    scf.for %i = %c0 to %n step %c1 {
      memref.store %x, %a[%i, %c0] : memref<?x2xf32>
    }
    memref.copy %a, %to : memref<?x2xf32> to memref<?x2xf32>
    memref.dealloc %a : memref<?x2xf32>
  }
  return
}

// That it is empty is found out behind the allocation.
func.func @asked_later(%n: index, %x: f32, %to: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^filled
^body:
  memref.store %x, %a[%i] : memref<?xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^filled:
  %none = arith.cmpi slt, %n, %c1 : index
  cf.cond_br %none, ^read, ^end
^read:
  memref.copy %a, %to : memref<?xf32> to memref<?xf32>
  cf.br ^end
^end:
  memref.dealloc %a : memref<?xf32>
  return
}

// A dimension that is computed.
func.func @nothing_times_eight(%n: index, %x: f32, %to: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %none = arith.muli %c0, %c8 : index
  %a = memref.alloc(%none) : memref<?xf32>
  memref.copy %a, %to : memref<?xf32> to memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return
}

func.func @some_that_are_not_filled(%n: index, %x: f32, %to: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %four = arith.cmpi eq, %n, %c4 : index
  scf.if %four {
    %a = memref.alloc(%n) : memref<?xf32>
    scf.for %i = %n to %c0 step %c8 {
      memref.store %x, %a[%i] : memref<?xf32>
    }
    // expected-warning @below [uninitialized-read] {{%a is read, and nothing has been written to its buffer}}
    memref.copy %a, %to : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

func.func @one_of_two_dimensions(%n: index, %m: index, %x: f32, %to: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.cmpi eq, %m, %c0 : index
  scf.if %none {
    %a = memref.alloc(%n, %m) : memref<?x?xf32>
    scf.for %i = %c0 to %m step %c1 {
      memref.store %x, %a[%c0, %i] : memref<?x?xf32>
    }
    memref.copy %a, %to : memref<?x?xf32> to memref<?x?xf32>
    memref.dealloc %a : memref<?x?xf32>
  }
  return
}

// Where it has elements they are never written.
func.func @empty_on_one_path(%n: index, %to: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    // expected-warning @below [uninitialized-read] {{%a is read, and nothing has been written to its buffer}}
    %v = memref.load %a[%i] : memref<?xf32>
    memref.store %v, %to[%i] : memref<?xf32>
  }
  // expected-warning @below [uninitialized-read] {{%a is read, and nothing has been written to its buffer}}
  memref.copy %a, %to : memref<?xf32> to memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    // expected-warning @below [uninitialized-read] {{%a is read, and nothing has been written to its buffer}}
    %v = memref.load %a[%i] : memref<?xf32>
    memref.store %v, %to[%i] : memref<?xf32>
  }
  memref.dealloc %a : memref<?xf32>
  return
}
