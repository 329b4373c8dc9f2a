// A function that is called through a value is the one that the value names, where an operation names it in sight.

llvm.func @free(!llvm.ptr)
llvm.func @malloc(i64) -> !llvm.ptr

func.func private @release(%m: memref<4xf32>) {
  // expected-remark @below [argument-free] {{%m}}
  memref.dealloc %m : memref<4xf32>
  return
}

func.func private @new() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}

func.func @freed() {
  %new = func.constant @new : () -> memref<4xf32>
  %release = func.constant @release : (memref<4xf32>) -> ()
  %a = func.call_indirect %new() : () -> memref<4xf32>
  func.call_indirect %release(%a) : (memref<4xf32>) -> ()
  return
}

func.func @freed_twice() {
  %release = func.constant @release : (memref<4xf32>) -> ()
  %a = memref.alloc() : memref<4xf32>
  func.call_indirect %release(%a) : (memref<4xf32>) -> ()
  // expected-error @below [double-free] {{%a}}
  memref.dealloc %a : memref<4xf32>
  return
}

llvm.func private @release_pointer(%n: i64, %p: !llvm.ptr) {
  // expected-remark @below [argument-free] {{%p}}
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @through_an_address(%n: i64) {
  %release = llvm.mlir.addressof @release_pointer : !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call %release(%n, %a) : !llvm.ptr, (i64, !llvm.ptr) -> ()
  llvm.return
}

// Another one is not known: it only borrows what it is passed.
func.func @not_in_sight(%f: (memref<4xf32>) -> ()) {
  // expected-warning @below [leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  func.call_indirect %f(%a) : (memref<4xf32>) -> ()
  return
}

// What another call gives is not known, whatever that call is of.
func.func private @pick() -> (() -> memref<4xf32>) {
  %new = func.constant @new : () -> memref<4xf32>
  return %new : () -> memref<4xf32>
}
func.func @whatever_is_picked() {
  %picked = func.call @pick() : () -> (() -> memref<4xf32>)
  // expected-warning @below [leak] {{%x}}
  %x = func.call_indirect %picked() : () -> memref<4xf32>
  return
}
