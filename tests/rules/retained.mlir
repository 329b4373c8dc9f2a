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

// Who calls a private function is told who owns what comes back.
func.func private @made(%i: index) -> (memref<2xf32, strided<[1], offset: ?>>, i1) {
  %true = arith.constant true
  %m = memref.alloc() : memref<8xf32>
  %view = memref.subview %m[%i] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
  // expected-remark @below [redundant-dealloc-check] {{%true}}
  %mine = bufferization.dealloc (%m : memref<8xf32>) if (%true) retain (%view : memref<2xf32, strided<[1], offset: ?>>)
  return %view, %mine : memref<2xf32, strided<[1], offset: ?>>, i1
}

func.func @given(%i: index, %to: memref<2xf32, strided<[1], offset: ?>>) {
  %r:2 = func.call @made(%i) : (index) -> (memref<2xf32, strided<[1], offset: ?>>, i1)
  memref.copy %r#0, %to : memref<2xf32, strided<[1], offset: ?>> to memref<2xf32, strided<[1], offset: ?>>
  bufferization.dealloc (%r#0 : memref<2xf32, strided<[1], offset: ?>>) if (%r#1)
  return
}
