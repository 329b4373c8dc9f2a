// The flag that says whether a buffer is to be freed stands in a struct: it has no name there.
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

llvm.func internal @made(%n: i64, %fresh: i1, %old: !llvm.ptr) -> !llvm.struct<(ptr, i1)> {
  %u = llvm.mlir.undef : !llvm.struct<(ptr, i1)>
  llvm.cond_br %fresh, ^new, ^done(%old : !llvm.ptr)
^new:
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.br ^done(%a : !llvm.ptr)
^done(%p: !llvm.ptr):
  %0 = llvm.insertvalue %p, %u[0] : !llvm.struct<(ptr, i1)>
  %1 = llvm.insertvalue %fresh, %0[1] : !llvm.struct<(ptr, i1)>
  llvm.return %1 : !llvm.struct<(ptr, i1)>
}

llvm.func internal @is_fresh(%s: !llvm.struct<(ptr, i1)>) -> i1 {
  %0 = llvm.extractvalue %s[1] : !llvm.struct<(ptr, i1)>
  llvm.return %0 : i1
}

llvm.func internal @memory(%s: !llvm.struct<(ptr, i1)>) -> !llvm.ptr {
  %0 = llvm.extractvalue %s[0] : !llvm.struct<(ptr, i1)>
  llvm.return %0 : !llvm.ptr
}

llvm.func @freed_late(%n: i64, %fresh: i1, %old: !llvm.ptr, %x: f32) {
  %s = llvm.call @made(%n, %fresh, %old) : (i64, i1, !llvm.ptr) -> !llvm.struct<(ptr, i1)>
  %p = llvm.call @memory(%s) : (!llvm.struct<(ptr, i1)>) -> !llvm.ptr
  %o = llvm.call @is_fresh(%s) : (!llvm.struct<(ptr, i1)>) -> i1
  llvm.store %x, %p : f32, !llvm.ptr
  llvm.cond_br %fresh, ^free2, ^free1
^free2:
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.br ^free1
^free1:
  llvm.return
}

llvm.func @freed_always(%n: i64, %fresh: i1, %old: !llvm.ptr, %x: f32) {
  %s = llvm.call @made(%n, %fresh, %old) : (i64, i1, !llvm.ptr) -> !llvm.struct<(ptr, i1)>
  %p = llvm.call @memory(%s) : (!llvm.struct<(ptr, i1)>) -> !llvm.ptr
  %o = llvm.call @is_fresh(%s) : (!llvm.struct<(ptr, i1)>) -> i1
  llvm.store %x, %p : f32, !llvm.ptr
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}
