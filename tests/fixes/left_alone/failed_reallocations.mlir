// Where `realloc` has failed the buffer has not been freed; whether it has, a variable says that others know as well.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @realloc(!llvm.ptr, i64) -> !llvm.ptr
llvm.func @look(!llvm.ptr)

llvm.func internal @grow(%p: !llvm.ptr, %n: i64) -> !llvm.ptr {
  %q = llvm.call @realloc(%p, %n) : (!llvm.ptr, i64) -> !llvm.ptr
  llvm.return %q : !llvm.ptr
}

llvm.func @by_realloc(%n: i64) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %z = llvm.mlir.zero : !llvm.ptr
  %vq = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %q = llvm.call @realloc(%p, %n) : (!llvm.ptr, i64) -> !llvm.ptr
  llvm.store %q, %vq : !llvm.ptr, !llvm.ptr
  llvm.call @look(%vq) : (!llvm.ptr) -> ()
  %q1 = llvm.load %vq : !llvm.ptr -> !llvm.ptr
  %null = llvm.icmp "eq" %q1, %z : !llvm.ptr
  llvm.cond_br %null, ^failed, ^went
^failed:
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
^went:
  %q2 = llvm.load %vq : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%q2) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @by_grow(%n: i64) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %z = llvm.mlir.zero : !llvm.ptr
  %vq = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %q = llvm.call @grow(%p, %n) : (!llvm.ptr, i64) -> !llvm.ptr
  llvm.store %q, %vq : !llvm.ptr, !llvm.ptr
  llvm.call @look(%vq) : (!llvm.ptr) -> ()
  %q1 = llvm.load %vq : !llvm.ptr -> !llvm.ptr
  %null = llvm.icmp "eq" %q1, %z : !llvm.ptr
  llvm.cond_br %null, ^failed, ^went
^failed:
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
^went:
  %q2 = llvm.load %vq : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%q2) : (!llvm.ptr) -> ()
  llvm.return
}
