// As far from one address as the difference to another one is the other: whose buffer it is, nobody knows.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

llvm.func @moved_by_the_difference(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  // expected-warning @below [possible-leak] {{%b}}
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %x = llvm.ptrtoint %a : !llvm.ptr to i64
  %y = llvm.ptrtoint %b : !llvm.ptr to i64
  %d = llvm.sub %y, %x : i64
  %p = llvm.getelementptr %a[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  // expected-warning @below [possible-double-free] {{%a}}
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @in_elements(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  // expected-warning @below [possible-leak] {{%b}}
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %four = llvm.mlir.constant(4 : i64) : i64
  %x = llvm.ptrtoint %a : !llvm.ptr to i64
  %y = llvm.ptrtoint %b : !llvm.ptr to i64
  %d = llvm.sub %y, %x : i64
  %e = llvm.sdiv exact %d, %four : i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  // expected-warning @below [possible-double-free] {{%a}}
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @from_nothing(%n: i64) {
  %zero = llvm.mlir.zero : !llvm.ptr
  // expected-warning @below [possible-leak] {{%a}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %x = llvm.ptrtoint %a : !llvm.ptr to i64
  %p = llvm.getelementptr %zero[%x] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}

// What is subtracted is gone, and a difference alone is nobody's address.
llvm.func @only_the_difference(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  // expected-warning @below [leak] {{%b}}
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %x = llvm.ptrtoint %a : !llvm.ptr to i64
  %y = llvm.ptrtoint %b : !llvm.ptr to i64
  %d = llvm.sub %y, %x : i64
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}

// Sizes are written as addresses of nothing.
llvm.func @moved_by_a_size(%n: i64) {
  %zero = llvm.mlir.zero : !llvm.ptr
  %second = llvm.getelementptr %zero[1] : (!llvm.ptr) -> !llvm.ptr, f32
  %size = llvm.ptrtoint %second : !llvm.ptr to i64
  // expected-warning @below [leak] {{%a}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %p = llvm.getelementptr %a[%size] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %n, %p : i64, !llvm.ptr
  llvm.return
}

// A number made of one address leads to no other buffer: a hash, a length.
llvm.func @hash(%n: i64, %v: i64) -> i64 {
  %mask = llvm.mlir.constant(15 : i64) : i64
  %table = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %x = llvm.ptrtoint %a : !llvm.ptr to i64
  %i = llvm.and %x, %mask : i64
  %slot = llvm.getelementptr %table[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.store %v, %slot : i64, !llvm.ptr
  %r = llvm.load %slot : !llvm.ptr -> i64
  llvm.call @free(%table) : (!llvm.ptr) -> ()
  llvm.return %r : i64
}

llvm.func @length(%n: i64, %v: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %end = llvm.getelementptr %a[%n] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %x = llvm.ptrtoint %a : !llvm.ptr to i64
  %y = llvm.ptrtoint %end : !llvm.ptr to i64
  %length = llvm.sub %y, %x : i64
  %p = llvm.getelementptr %b[%length] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.store %v, %p : i64, !llvm.ptr
  llvm.call @free(%b) : (!llvm.ptr) -> ()
  llvm.return
}

// However the difference is computed on.
llvm.func @shifted(%n: i64) {
  // expected-warning @below [possible-leak] {{%a}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  // expected-warning @below [possible-leak] {{%b}}
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %three = llvm.mlir.constant(3 : i64) : i64
  %x = llvm.ptrtoint %a : !llvm.ptr to i64
  %y = llvm.ptrtoint %b : !llvm.ptr to i64
  %d = llvm.sub %y, %x : i64
  %e = llvm.ashr exact %d, %three : i64
  %p = llvm.getelementptr %a[%e] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}
