// What is freed under a condition in a function of LLVM's dialect is freed in a block of its own.
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @coin() -> i1

llvm.func @one_flag(%c: i1, %n: i64, %v: i32, %p: !llvm.ptr) {
  llvm.cond_br %c, ^a, ^c(%p : !llvm.ptr)
^a:
  %m = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.br ^c(%m : !llvm.ptr)
^c(%q: !llvm.ptr):
  llvm.store %v, %q : i32, !llvm.ptr
  llvm.cond_br %c, ^free2, ^free1
^free2:
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.br ^free1
^free1:
  llvm.return
}

llvm.func @two_flags(%c: i1, %d: i1, %n: i64, %v: i32, %p: !llvm.ptr) {
  llvm.cond_br %c, ^a, ^c(%p : !llvm.ptr)
^a:
  %m = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.cond_br %d, ^b, ^c(%m : !llvm.ptr)
^b:
  llvm.call @free(%m) : (!llvm.ptr) -> ()
  llvm.br ^c(%p : !llvm.ptr)
^c(%q: !llvm.ptr):
  llvm.store %v, %q : i32, !llvm.ptr
  llvm.cond_br %c, ^free2, ^free1
^free2:
  llvm.cond_br %d, ^free1, ^free3
^free3:
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.br ^free1
^free1:
  llvm.return
}

llvm.func @a_flag_goes_along(%n: i64, %v: i32, %p: !llvm.ptr) {
  %e = llvm.call @coin() : () -> i1
  %true = llvm.mlir.constant(true) : i1
  llvm.cond_br %e, ^a, ^b
^a:
  %m = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.br ^c(%m, %true : !llvm.ptr, i1)
^b:
  %e2 = llvm.call @coin() : () -> i1
  %false = llvm.mlir.constant(false) : i1
  llvm.cond_br %e2, ^a2, ^c(%p, %false : !llvm.ptr, i1)
^a2:
  %m2 = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.br ^c(%m2, %true : !llvm.ptr, i1)
^c(%q: !llvm.ptr, %q_owned: i1):
  llvm.store %v, %q : i32, !llvm.ptr
  llvm.cond_br %q_owned, ^free2, ^free1
^free2:
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.br ^free1
^free1:
  llvm.return
}
