// A function that calls what it is passed does what that does: told for each call that passes it another one.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

func.func private @release(%m: memref<4xf32>) {
  // expected-remark @below [argument-free] {{%m}}
  memref.dealloc %m : memref<4xf32>
  return
}
func.func private @look(%m: memref<4xf32>) {
  return
}
func.func private @apply(%f: (memref<4xf32>) -> (), %m: memref<4xf32>) {
  func.call_indirect %f(%m) : (memref<4xf32>) -> ()
  return
}
func.func private @apply_through(%m: memref<4xf32>, %f: (memref<4xf32>) -> ()) {
  func.call @apply(%f, %m) : ((memref<4xf32>) -> (), memref<4xf32>) -> ()
  return
}

func.func @freed() {
  %a = memref.alloc() : memref<4xf32>
  %f = func.constant @release : (memref<4xf32>) -> ()
  func.call @apply(%f, %a) : ((memref<4xf32>) -> (), memref<4xf32>) -> ()
  return
}
func.func @looked_at() {
  // expected-warning @below [leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  %f = func.constant @look : (memref<4xf32>) -> ()
  func.call @apply(%f, %a) : ((memref<4xf32>) -> (), memref<4xf32>) -> ()
  return
}
func.func @freed_again() {
  %a = memref.alloc() : memref<4xf32>
  %f = func.constant @release : (memref<4xf32>) -> ()
  func.call @apply(%f, %a) : ((memref<4xf32>) -> (), memref<4xf32>) -> ()
  // expected-error @below [double-free] {{%a}}
  memref.dealloc %a : memref<4xf32>
  return
}
func.func @used_behind(%x: f32) {
  %a = memref.alloc() : memref<4xf32>
  %f = func.constant @release : (memref<4xf32>) -> ()
  func.call @apply(%f, %a) : ((memref<4xf32>) -> (), memref<4xf32>) -> ()
  // expected-error @below [use-after-free] {{%a}}
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  return
}
func.func @handed_on_twice() {
  %a = memref.alloc() : memref<4xf32>
  %f = func.constant @release : (memref<4xf32>) -> ()
  func.call @apply_through(%a, %f) : (memref<4xf32>, (memref<4xf32>) -> ()) -> ()
  return
}
func.func @both_in_turn() {
  %a = memref.alloc() : memref<4xf32>
  %look = func.constant @look : (memref<4xf32>) -> ()
  %release = func.constant @release : (memref<4xf32>) -> ()
  func.call @apply(%look, %a) : ((memref<4xf32>) -> (), memref<4xf32>) -> ()
  func.call @apply(%release, %a) : ((memref<4xf32>) -> (), memref<4xf32>) -> ()
  return
}

// In LLVM's dialect what is called is passed by a pointer like any other; a flag is one argument further on.
llvm.func internal @release_where(%p: !llvm.ptr, %c: i1) {
  llvm.cond_br %c, ^free, ^end
^free:
  // expected-remark @below [argument-free] {{%p}}
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.return
}
llvm.func internal @apply_pointer(%f: !llvm.ptr, %p: !llvm.ptr, %c: i1) {
  llvm.call %f(%p, %c) : !llvm.ptr, (!llvm.ptr, i1) -> ()
  llvm.return
}
llvm.func @freed_where(%n: i64, %c: i1) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %f = llvm.mlir.addressof @release_where : !llvm.ptr
  llvm.call @apply_pointer(%f, %a, %c) : (!llvm.ptr, !llvm.ptr, i1) -> ()
  llvm.cond_br %c, ^end, ^other
^other:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.return
}
llvm.func @freed_where_it_is_not(%n: i64, %c: i1) {
  // expected-warning @below [possible-leak] {{%a}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %f = llvm.mlir.addressof @release_where : !llvm.ptr
  llvm.call @apply_pointer(%f, %a, %c) : (!llvm.ptr, !llvm.ptr, i1) -> ()
  llvm.cond_br %c, ^other, ^end
^other:
  // expected-error @below [double-free] {{%a}}
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.return
}

// What calls something that is not known, or itself, is not followed so: then the call is of any function.
func.func private @apply_again(%m: memref<4xf32>) {
  %f = func.constant @apply_again : (memref<4xf32>) -> ()
  func.call @apply(%f, %m) : ((memref<4xf32>) -> (), memref<4xf32>) -> ()
  return
}
func.func @round_and_round() {
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  %f = func.constant @apply_again : (memref<4xf32>) -> ()
  func.call @apply(%f, %a) : ((memref<4xf32>) -> (), memref<4xf32>) -> ()
  return
}
func.func @not_at_hand(%f: (memref<4xf32>) -> ()) {
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  func.call @apply(%f, %a) : ((memref<4xf32>) -> (), memref<4xf32>) -> ()
  return
}
