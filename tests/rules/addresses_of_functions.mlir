// Who takes the address of a private function may have others call it: not all of its callers are at hand then.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @at_exit(!llvm.ptr)
func.func private @hand_on((memref<4xf32>) -> ())
func.func private @hand_on_with_flag((memref<4xf32>, i1) -> ())

// What it does to its argument is their business, though they are not checked.
func.func private @only_passed(%m: memref<4xf32>) {
  // expected-remark @below [argument-free] {{frees its argument %m: callers must not use or free it afterwards}}
  memref.dealloc %m : memref<4xf32>
  return
}
func.func @passes() {
  %f = func.constant @only_passed : (memref<4xf32>) -> ()
  call @hand_on(%f) : ((memref<4xf32>) -> ()) -> ()
  return
}
llvm.func internal @only_registered(%p: !llvm.ptr) {
  // expected-remark @below [argument-free] {{%p}}
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @registers() {
  %f = llvm.mlir.addressof @only_registered : !llvm.ptr
  llvm.call @at_exit(%f) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func internal @only_stored(%p: !llvm.ptr) {
  // expected-remark @below [argument-free] {{%p}}
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @stores(%table: !llvm.ptr) {
  %f = llvm.mlir.addressof @only_stored : !llvm.ptr
  llvm.store %f, %table : !llvm.ptr, !llvm.ptr
  llvm.return
}
llvm.func internal @in_a_table(%p: !llvm.ptr) {
  // expected-remark @below [argument-free] {{%p}}
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.mlir.global internal constant @table() : !llvm.ptr {
  %f = llvm.mlir.addressof @in_a_table : !llvm.ptr
  llvm.return %f : !llvm.ptr
}
func.func private @for_whatever(%m: memref<4xf32>) {
  // expected-remark @below [argument-free] {{%m}}
  memref.dealloc %m : memref<4xf32>
  return
}
func.func @names_it() {
  "some.spawn"() {callee = @for_whatever} : () -> ()
  return
}

// Of one that nobody could call it is said as of one that anybody may call.
func.func private @left_over(%m: memref<4xf32>) {
  // expected-warning @below [argument-free] {{frees %m, which belongs to the caller}}
  memref.dealloc %m : memref<4xf32>
  return
}
llvm.func internal @named_and_left_over(%p: !llvm.ptr) {
  // expected-remark @below [argument-free] {{frees its argument %p}}
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @names_it_for_nothing() {
  %f = llvm.mlir.addressof @named_and_left_over : !llvm.ptr
  llvm.return
}

// What the calls at hand pass is not all that is passed.
func.func private @called_and_passed(%m: memref<4xf32>, %last: i1) {
  scf.if %last {
    // expected-remark @below [argument-free] {{%m}}
    memref.dealloc %m : memref<4xf32>
  }
  %c0 = arith.constant 0 : index
  // expected-warning @below [possible-use-after-free] {{%m}}
  %v = memref.load %m[%c0] : memref<4xf32>
  return
}
func.func @calls_and_passes(%x: f32) {
  %false = arith.constant false
  %f = func.constant @called_and_passed : (memref<4xf32>, i1) -> ()
  call @hand_on_with_flag(%f) : ((memref<4xf32>, i1) -> ()) -> ()
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  call @called_and_passed(%a, %false) : (memref<4xf32>, i1) -> ()
  memref.dealloc %a : memref<4xf32>
  return
}

// Where a value is only called, it is: nothing else is passed.
func.func private @only_called(%m: memref<4xf32>, %last: i1) {
  scf.if %last {
    memref.dealloc %m : memref<4xf32>
  }
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<4xf32>
  return
}
func.func @calls_by_value(%x: f32) {
  %false = arith.constant false
  %f = func.constant @only_called : (memref<4xf32>, i1) -> ()
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  call_indirect %f(%a, %false) : (memref<4xf32>, i1) -> ()
  memref.dealloc %a : memref<4xf32>
  return
}
