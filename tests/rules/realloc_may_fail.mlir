// Where `realloc` of C gives null, what it was passed has not been freed: whoever asks is right to free it then.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @realloc(!llvm.ptr, i64) -> !llvm.ptr

llvm.func @freed_where_it_failed(%k: i64) -> i32 {
  %e = llvm.mlir.constant(1 : i32) : i32
  %o = llvm.mlir.constant(0 : i32) : i32
  %n = llvm.mlir.constant(64 : i64) : i64
  %z = llvm.mlir.zero : !llvm.ptr
  %s = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %t = llvm.call @realloc(%s, %k) : (!llvm.ptr, i64) -> !llvm.ptr
  %isnull = llvm.icmp "eq" %t, %z : !llvm.ptr
  llvm.cond_br %isnull, ^bad, ^good
^bad:
  llvm.call @free(%s) : (!llvm.ptr) -> ()
  llvm.return %e : i32
^good:
  llvm.call @free(%t) : (!llvm.ptr) -> ()
  llvm.return %o : i32
}

// The same in variables, as it comes without optimisation.
llvm.func @in_variables(%k: i64) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %n = llvm.mlir.constant(64 : i64) : i64
  %z = llvm.mlir.zero : !llvm.ptr
  %ps = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  %pt = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  %s = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %s, %ps : !llvm.ptr, !llvm.ptr
  %s1 = llvm.load %ps : !llvm.ptr -> !llvm.ptr
  %t = llvm.call @realloc(%s1, %k) : (!llvm.ptr, i64) -> !llvm.ptr
  llvm.store %t, %pt : !llvm.ptr, !llvm.ptr
  %t1 = llvm.load %pt : !llvm.ptr -> !llvm.ptr
  %isnull = llvm.icmp "eq" %t1, %z : !llvm.ptr
  llvm.cond_br %isnull, ^bad, ^good
^bad:
  %s2 = llvm.load %ps : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%s2) : (!llvm.ptr) -> ()
  llvm.return
^good:
  %t2 = llvm.load %pt : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%t2) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @freed_all_the_same(%k: i64) {
  %n = llvm.mlir.constant(64 : i64) : i64
  %z = llvm.mlir.zero : !llvm.ptr
  %s = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %t = llvm.call @realloc(%s, %k) : (!llvm.ptr, i64) -> !llvm.ptr
  %isnull = llvm.icmp "eq" %t, %z : !llvm.ptr
  llvm.cond_br %isnull, ^bad, ^good
^bad:
  llvm.unreachable
^good:
  // expected-error @below [double-free] {{freed a second time}}
  llvm.call @free(%s) : (!llvm.ptr) -> ()
  llvm.call @free(%t) : (!llvm.ptr) -> ()
  llvm.return
}

// Nobody asks: it is taken not to fail.
llvm.func @not_asked(%k: i64) {
  %n = llvm.mlir.constant(64 : i64) : i64
  %s = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %t = llvm.call @realloc(%s, %k) : (!llvm.ptr, i64) -> !llvm.ptr
  // expected-error @below [double-free] {{freed a second time}}
  llvm.call @free(%s) : (!llvm.ptr) -> ()
  llvm.call @free(%t) : (!llvm.ptr) -> ()
  llvm.return
}
