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

// The same behind functions that give what it gives.
llvm.func internal @grow(%p: !llvm.ptr, %n: i64) -> !llvm.ptr {
  // expected-remark @below [argument-free] {{frees its argument %p}}
  %q = llvm.call @realloc(%p, %n) : (!llvm.ptr, i64) -> !llvm.ptr
  llvm.return %q : !llvm.ptr
}
llvm.func internal @grow_more(%p: !llvm.ptr, %n: i64) -> !llvm.ptr {
  // expected-remark @below [argument-free] {{frees its argument %p}}
  %q = llvm.call @grow(%p, %n) : (!llvm.ptr, i64) -> !llvm.ptr
  llvm.return %q : !llvm.ptr
}
llvm.func internal @grow_in_variables(%p: !llvm.ptr, %n: i64) -> !llvm.ptr {
  %one = llvm.mlir.constant(1 : i32) : i32
  %vp = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  %vq = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  llvm.store %p, %vp : !llvm.ptr, !llvm.ptr
  %p1 = llvm.load %vp : !llvm.ptr -> !llvm.ptr
  // expected-remark @below [argument-free] {{frees its argument %p}}
  %q = llvm.call @realloc(%p1, %n) : (!llvm.ptr, i64) -> !llvm.ptr
  llvm.store %q, %vq : !llvm.ptr, !llvm.ptr
  %q1 = llvm.load %vq : !llvm.ptr -> !llvm.ptr
  llvm.return %q1 : !llvm.ptr
}
llvm.func @freed_where_a_callee_failed(%n: i64) {
  %z = llvm.mlir.zero : !llvm.ptr
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %q = llvm.call @grow_more(%p, %n) : (!llvm.ptr, i64) -> !llvm.ptr
  %null = llvm.icmp "eq" %q, %z : !llvm.ptr
  llvm.cond_br %null, ^failed, ^went
^failed:
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
^went:
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @freed_where_one_with_variables_failed(%n: i64) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %z = llvm.mlir.zero : !llvm.ptr
  %vp = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  %vq = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %p, %vp : !llvm.ptr, !llvm.ptr
  %p1 = llvm.load %vp : !llvm.ptr -> !llvm.ptr
  %q = llvm.call @grow_in_variables(%p1, %n) : (!llvm.ptr, i64) -> !llvm.ptr
  llvm.store %q, %vq : !llvm.ptr, !llvm.ptr
  %q1 = llvm.load %vq : !llvm.ptr -> !llvm.ptr
  %null = llvm.icmp "eq" %q1, %z : !llvm.ptr
  llvm.cond_br %null, ^failed, ^went
^failed:
  %p2 = llvm.load %vp : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%p2) : (!llvm.ptr) -> ()
  llvm.return
^went:
  %q2 = llvm.load %vq : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%q2) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @freed_whether_it_failed_or_not(%n: i64) {
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %q = llvm.call @grow(%p, %n) : (!llvm.ptr, i64) -> !llvm.ptr
  // expected-error @below [double-free] {{freed a second time}}
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.return
}

// One that frees what could not grow leaves nothing to be freed.
llvm.func internal @grow_or_free(%p: !llvm.ptr, %n: i64) -> !llvm.ptr {
  %z = llvm.mlir.zero : !llvm.ptr
  // expected-remark @below [argument-free] {{frees its argument %p}}
  %q = llvm.call @realloc(%p, %n) : (!llvm.ptr, i64) -> !llvm.ptr
  %null = llvm.icmp "eq" %q, %z : !llvm.ptr
  llvm.cond_br %null, ^failed, ^went
^failed:
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return %z : !llvm.ptr
^went:
  llvm.return %q : !llvm.ptr
}
llvm.func @freed_where_nothing_is_left(%n: i64) {
  %z = llvm.mlir.zero : !llvm.ptr
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %q = llvm.call @grow_or_free(%p, %n) : (!llvm.ptr, i64) -> !llvm.ptr
  %null = llvm.icmp "eq" %q, %z : !llvm.ptr
  llvm.cond_br %null, ^failed, ^went
^failed:
  // expected-error @below [double-free] {{freed a second time}}
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
^went:
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.return
}

// Where others know the variable that is asked, it may be another pointer by then.
llvm.func @look(!llvm.ptr)
llvm.func @freed_where_a_shared_variable_is_null(%n: i64) {
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
  // expected-warning @below [possible-double-free] {{freed a second time on some path}}
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
^went:
  %q2 = llvm.load %vq : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%q2) : (!llvm.ptr) -> ()
  llvm.return
}

// Which argument it is that may not be freed the summary says: another one is, whatever is null.
llvm.func internal @grow_and_free(%o: !llvm.ptr, %p: !llvm.ptr, %n: i64) -> !llvm.ptr {
  // expected-remark @below [argument-free] {{frees its argument %o}}
  llvm.call @free(%o) : (!llvm.ptr) -> ()
  // expected-remark @below [argument-free] {{frees its argument %p}}
  %q = llvm.call @grow_more(%p, %n) : (!llvm.ptr, i64) -> !llvm.ptr
  llvm.return %q : !llvm.ptr
}
llvm.func @freed_beside(%n: i64) {
  %z = llvm.mlir.zero : !llvm.ptr
  %o = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %q = llvm.call @grow_and_free(%o, %p, %n) : (!llvm.ptr, !llvm.ptr, i64) -> !llvm.ptr
  %null = llvm.icmp "eq" %q, %z : !llvm.ptr
  llvm.cond_br %null, ^failed, ^went
^failed:
  // expected-error @below [double-free] {{the buffer of %o is freed a second time}}
  llvm.call @free(%o) : (!llvm.ptr) -> ()
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
^went:
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.return
}
