// Calls of a function at hand, perhaps, or of one that is not: what the first may free may be freed.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

llvm.func internal @frees(%p: !llvm.ptr) {
  llvm.call @free(%p) : (!llvm.ptr) -> ()  // expected-remark [argument-free] {{%p}}
  llvm.return
}
llvm.func internal @looks(%p: !llvm.ptr) {
  %v = llvm.load %p : !llvm.ptr -> i32
  llvm.return
}

llvm.func @freed_again(%c: i1, %n: i64, %f: !llvm.ptr) {
  %g = llvm.mlir.addressof @frees : !llvm.ptr
  %one = llvm.select %c, %f, %g : i1, !llvm.ptr
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call %one(%p) : !llvm.ptr, (!llvm.ptr) -> ()
  // expected-warning @below [possible-double-free] {{%p}}
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @looked_at(%c: i1, %n: i64, %f: !llvm.ptr) {
  %g = llvm.mlir.addressof @looks : !llvm.ptr
  %one = llvm.select %c, %f, %g : i1, !llvm.ptr
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call %one(%p) : !llvm.ptr, (!llvm.ptr) -> ()
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}

func.func private @releases(%m: memref<4xf32>) {
  memref.dealloc %m : memref<4xf32>  // expected-remark [argument-free] {{%m}}
  return
}
func.func private @hands_on(%m: memref<4xf32>) {
  // expected-remark @below [argument-free] {{%m}}
  call @releases(%m) : (memref<4xf32>) -> ()
  return
}

func.func @used_behind(%c: i1, %x: f32, %f: (memref<4xf32>) -> ()) {
  %g = func.constant @hands_on : (memref<4xf32>) -> ()
  %one = arith.select %c, %f, %g : (memref<4xf32>) -> ()
  %m = memref.alloc() : memref<4xf32>
  func.call_indirect %one(%m) : (memref<4xf32>) -> ()
  // expected-warning @below [possible-use-after-free] {{%m}}
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  // expected-warning @below [possible-double-free] {{%m}}
  memref.dealloc %m : memref<4xf32>
  return
}

// What it frees on a path where the other is called is never freed, perhaps; that was so before.
func.func @left(%c: i1, %f: (memref<4xf32>) -> ()) {
  %g = func.constant @hands_on : (memref<4xf32>) -> ()
  %one = arith.select %c, %f, %g : (memref<4xf32>) -> ()
  %m = memref.alloc() : memref<4xf32>  // expected-warning [possible-leak] {{%m}}
  func.call_indirect %one(%m) : (memref<4xf32>) -> ()
  return
}

// Through a function that does so itself.
func.func @applies(%c: i1, %f: (memref<4xf32>) -> (), %m: memref<4xf32>) {
  %g = func.constant @hands_on : (memref<4xf32>) -> ()
  %one = arith.select %c, %f, %g : (memref<4xf32>) -> ()
  // expected-warning @below [argument-free] {{frees %m, which on some paths belongs to the caller}}
  func.call_indirect %one(%m) : (memref<4xf32>) -> ()
  return
}
func.func @applied(%c: i1, %f: (memref<4xf32>) -> ()) {
  %m = memref.alloc() : memref<4xf32>
  call @applies(%c, %f, %m) : (i1, (memref<4xf32>) -> (), memref<4xf32>) -> ()
  // expected-warning @below [possible-double-free] {{%m}}
  memref.dealloc %m : memref<4xf32>
  return
}
