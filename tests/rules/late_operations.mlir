// config: limits.late-operations=2

// So few operations are not worth a word.
func.func @one(%x: memref<4xf32>, %y: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %y, %x : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}

func.func @two(%x: memref<4xf32>, %y: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %y, %x : memref<4xf32> to memref<4xf32>
  cf.br ^next
^next:
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  // expected-warning @below [late-free] {{is held over 2 operations}}
  memref.dealloc %a : memref<4xf32>
  return
}

// What names the buffer for its deallocation moves with that, and does not count.
func.func @named_for_it(%x: memref<4xf32>, %y: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %y, %x : memref<4xf32> to memref<4xf32>
  %c = memref.cast %a : memref<4xf32> to memref<?xf32>
  memref.dealloc %c : memref<?xf32>
  return
}

// What names another is executed in between.
func.func @another_named(%x: memref<4xf32>, %y: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %y, %b : memref<4xf32> to memref<4xf32>
  %c = memref.cast %b : memref<4xf32> to memref<?xf32>
  // expected-warning @below [late-free] {{is held over 2 operations}}
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %c : memref<?xf32>
  return
}

// Where it is named, blocks before the deallocation.
func.func @named_before(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %y, %x : memref<4xf32> to memref<4xf32>
  cf.br ^head
^head:
  %c = memref.cast %a : memref<4xf32> to memref<?xf32>
  cf.br ^next
^next:
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  cf.br ^last
^last:
  // expected-warning @below [late-free] {{is held over 2 operations}}
  memref.dealloc %c : memref<?xf32>
  return
}

// It dies in both branches: to come out of them is no work.
func.func @out_of_branches(%x: memref<4xf32>, %y: memref<4xf32>, %p: i1) {
  %a = memref.alloc() : memref<4xf32>
  scf.if %p {
    memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  } else {
    memref.copy %y, %a : memref<4xf32> to memref<4xf32>
  }
  memref.copy %y, %x : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}

func.func @out_of_nested_branches(%x: memref<4xf32>, %y: memref<4xf32>, %p: i1, %q: i1) {
  %a = memref.alloc() : memref<4xf32>
  scf.if %p {
    scf.if %q {
      memref.copy %x, %a : memref<4xf32> to memref<4xf32>
      memref.copy %y, %x : memref<4xf32> to memref<4xf32>
    }
    memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  }
  memref.copy %y, %x : memref<4xf32> to memref<4xf32>
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  // expected-warning @below [late-free] {{is held over 2 operations}}
  memref.dealloc %a : memref<4xf32>
  return
}

// In the generic form an empty branch is written, and the same is said.
func.func @out_of_nested_generic_branches(%x: memref<4xf32>, %y: memref<4xf32>, %p: i1, %q: i1) {
  %a = memref.alloc() : memref<4xf32>
  "scf.if"(%p) ({
    "scf.if"(%q) ({
      memref.copy %x, %a : memref<4xf32> to memref<4xf32>
      memref.copy %y, %x : memref<4xf32> to memref<4xf32>
      scf.yield
    }, {
    }) : (i1) -> ()
    memref.copy %x, %y : memref<4xf32> to memref<4xf32>
    scf.yield
  }, {
  }) : (i1) -> ()
  memref.copy %y, %x : memref<4xf32> to memref<4xf32>
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  // expected-warning @below [late-free] {{is held over 2 operations after its last use on each path}}
  memref.dealloc %a : memref<4xf32>
  return
}

// All of an operation with branches counts once.
func.func @past_branches(%x: memref<4xf32>, %y: memref<4xf32>, %p: i1) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  scf.if %p {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %y, %b : memref<4xf32> to memref<4xf32>
    memref.dealloc %b : memref<4xf32>
  }
  memref.dealloc %a : memref<4xf32>
  return
}
