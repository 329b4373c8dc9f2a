// Who owns what `bufferization.dealloc` retains is told by its results (as upstream's deallocation asks).

func.func @one_of_two(%a: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  %true = arith.constant true
  %r = arith.select %c, %m, %a : memref<4xf32>
  // expected-remark @below [redundant-dealloc-check] {{%true}}
  %d = bufferization.dealloc (%m : memref<4xf32>) if (%true) retain (%r : memref<4xf32>)
  %new = scf.if %d -> memref<4xf32> {
    scf.yield %r : memref<4xf32>
  } else {
    %x = bufferization.clone %r : memref<4xf32> to memref<4xf32>
    scf.yield %x : memref<4xf32>
  }
  return %new : memref<4xf32>
}

func.func @freed_where_owned(%a: memref<4xf32>, %c: i1, %mine: i1) {
  // expected-warning @below [possible-leak] {{%m}}
  %m = memref.alloc() : memref<4xf32>
  %r = arith.select %c, %m, %a : memref<4xf32>
  %d = bufferization.dealloc (%m : memref<4xf32>) if (%mine) retain (%r : memref<4xf32>)
  memref.copy %r, %a : memref<4xf32> to memref<4xf32>
  bufferization.dealloc (%r : memref<4xf32>) if (%d)
  return
}

// Nothing was given that could be it.
func.func @nothing_owned(%a: memref<4xf32>, %c: i1) {
  %true = arith.constant true
  %r, %mine = scf.if %c -> (memref<4xf32>, i1) {
    %m = memref.alloc() : memref<4xf32>
    memref.copy %a, %m : memref<4xf32> to memref<4xf32>
    scf.yield %m, %true : memref<4xf32>, i1
  } else {
    %none = bufferization.dealloc retain (%a : memref<4xf32>)
    scf.yield %a, %none : memref<4xf32>, i1
  }
  bufferization.dealloc (%r : memref<4xf32>) if (%mine)
  return
}
