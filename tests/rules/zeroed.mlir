// Memory that `calloc` gives is zero: it may be read at once. What `malloc` gives is not.

llvm.func @calloc(i64, i64) -> !llvm.ptr
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

llvm.func @zeroed(%n: i64) -> i64 {
  %a = llvm.call @calloc(%n, %n) : (i64, i64) -> !llvm.ptr
  %v = llvm.load %a : !llvm.ptr -> i64
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return %v : i64
}

llvm.func @unknown(%n: i64) -> i64 {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  // expected-warning @below [uninitialized-read] {{%a}}
  %v = llvm.load %a : !llvm.ptr -> i64
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return %v : i64
}
