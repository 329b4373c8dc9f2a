llvm.func @free(!llvm.ptr)
llvm.func @person_free(%p: !llvm.ptr) {
  %name = llvm.load %p : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%name) : (!llvm.ptr) -> ()
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @deallocate(%this: !llvm.ptr, %p: !llvm.ptr, %n: i64) {
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}
