// Results without a name: nobody can free what they are.

func.func private @make() -> memref<4xf32>

func.func private @both(%n: index) -> (memref<?xf32>, index, memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  return %a, %n, %b : memref<?xf32>, index, memref<?xf32>
}

func.func private @same(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}

func.func private @perhaps(%a: memref<4xf32>, %f: i1) -> memref<4xf32> {
  %r = scf.if %f -> memref<4xf32> {
    %n = memref.alloc() : memref<4xf32>
    scf.yield %n : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  return %r : memref<4xf32>
}

func.func @allocations(%a: memref<4xf32>, %n: index) {
  // expected-warning @below [leak] {{buffer without a name of 16 bytes is never freed}}
  memref.alloc() : memref<4xf32>
  // expected-warning @below [leak] {{buffer without a name of 4*%n bytes}}
  memref.alloc(%n) : memref<?xf32>
  // expected-warning @below [leak] {{buffer without a name of 16 bytes}}
  bufferization.clone %a : memref<4xf32> to memref<4xf32>
  memref.alloca() : memref<4xf32>
  // expected-warning @below [leak] {{buffer without a name of 16 bytes}}
  "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf32>
  return
}

func.func @calls(%a: memref<4xf32>, %n: index, %f: i1) {
  %true = arith.constant true
  %false = arith.constant false
  // expected-warning @below [leak] {{buffer without a name of 16 bytes}}
  func.call @make() : () -> memref<4xf32>
  // expected-warning @+2 [leak] {{without a name}}
  // expected-warning @+1 [leak] {{without a name}}
  func.call @both(%n) : (index) -> (memref<?xf32>, index, memref<?xf32>)
  func.call @same(%a) : (memref<4xf32>) -> memref<4xf32>
  // expected-warning @below [leak] {{buffer without a name of 16 bytes is never freed}}
  func.call @perhaps(%a, %f) : (memref<4xf32>, i1) -> memref<4xf32>
  // expected-warning @below [leak] {{without a name}}
  func.call @perhaps(%a, %true) : (memref<4xf32>, i1) -> memref<4xf32>
  func.call @perhaps(%a, %false) : (memref<4xf32>, i1) -> memref<4xf32>
  return
}

func.func private @apply((memref<4xf32>, memref<4xf32>) -> (), memref<4xf32>) -> memref<4xf32>
func.func private @free_both(memref<4xf32>, memref<4xf32>)

func.func @constant(%a: memref<4xf32>) {
  %f = func.constant @free_both : (memref<4xf32>, memref<4xf32>) -> ()
  func.call_indirect %f(%a, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  "func.call_indirect"(%f, %a, %a) : ((memref<4xf32>, memref<4xf32>) -> (), memref<4xf32>, memref<4xf32>) -> ()
  // expected-warning @below [leak] {{buffer without a name of 16 bytes}}
  func.call @apply(%f, %a) : ((memref<4xf32>, memref<4xf32>) -> (), memref<4xf32>) -> memref<4xf32> loc("a -> b")
  return
}

// Types of functions are no results.
func.func @told(%tell: (memref<4xf32>) -> (), %a: memref<4xf32>) {
  func.call_indirect %tell(%a) : (memref<4xf32>) -> ()
  "func.call_indirect"(%tell, %a) : ((memref<4xf32>) -> (), memref<4xf32>) -> ()
  return
}

func.func @handed(%make: () -> memref<4xf32>, %use: (() -> memref<4xf32>) -> ()) {
  // expected-warning @below [leak] {{without a name}}
  func.call_indirect %make() : () -> memref<4xf32>
  func.call_indirect %use(%make) : (() -> memref<4xf32>) -> ()
  "func.call_indirect"(%use, %make) : ((() -> memref<4xf32>) -> (), () -> memref<4xf32>) -> ()
  return
}

llvm.func @malloc(i64) -> !llvm.ptr

llvm.func @lowered(%size: i64) {
  // expected-warning @below [leak] {{buffer without a name is never freed}}
  llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  llvm.return
}
