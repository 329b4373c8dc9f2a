// What a function does where it is passed null is not done to a buffer.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

llvm.func internal @drop(%p: !llvm.ptr) {
  %null = llvm.mlir.zero : !llvm.ptr
  %some = llvm.icmp "ne" %p, %null : !llvm.ptr
  llvm.cond_br %some, ^bb1, ^bb2
^bb1:
  // expected-remark @below [argument-free] {{%p}}
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.br ^bb2
^bb2:
  llvm.return
}
llvm.func internal @drop_by_number(%p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %number = llvm.ptrtoint %p : !llvm.ptr to i64
  %none = llvm.icmp "eq" %zero, %number : i64
  llvm.cond_br %none, ^bb2, ^bb1
^bb1:
  // expected-remark @below [argument-free] {{%p}}
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.br ^bb2
^bb2:
  llvm.return
}
llvm.func internal @drop_further(%p: !llvm.ptr) {
  // expected-remark @below [argument-free] {{%p}}
  llvm.call @drop(%p) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @dropped(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %c = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call @drop(%a) : (!llvm.ptr) -> ()
  llvm.call @drop_by_number(%b) : (!llvm.ptr) -> ()
  llvm.call @drop_further(%c) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @dropped_twice(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call @drop(%a) : (!llvm.ptr) -> ()
  // expected-error @below [double-free] {{%a is freed a second time}}
  llvm.call @drop(%a) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @none_or_one(%n: i64, %make: i1) {
  %null = llvm.mlir.zero : !llvm.ptr
  llvm.cond_br %make, ^bb1, ^bb2(%null : !llvm.ptr)
^bb1:
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.br ^bb2(%a : !llvm.ptr)
^bb2(%p: !llvm.ptr):
  llvm.call @drop(%p) : (!llvm.ptr) -> ()
  llvm.return
}

// It says whether it has freed it: it has.
llvm.func internal @try(%p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.zero : i32
  %null = llvm.mlir.zero : !llvm.ptr
  %none = llvm.icmp "eq" %p, %null : !llvm.ptr
  llvm.cond_br %none, ^bb2(%one : i32), ^bb1
^bb1:
  // expected-remark @below [argument-free] {{%p}}
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.br ^bb2(%zero : i32)
^bb2(%r: i32):
  llvm.return %r : i32
}
llvm.func @freed_where_that_failed(%n: i64) {
  %zero = llvm.mlir.zero : i32
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %r = llvm.call @try(%a) : (!llvm.ptr) -> i32
  %failed = llvm.icmp "ne" %r, %zero : i32
  llvm.cond_br %failed, ^bb1, ^bb2
^bb1:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^bb2
^bb2:
  llvm.return
}

// What the caller's caller passes may be null, and then the other one is not freed.
llvm.func internal @drop_with(%p: !llvm.ptr, %q: !llvm.ptr) {
  %null = llvm.mlir.zero : !llvm.ptr
  %none = llvm.icmp "eq" %p, %null : !llvm.ptr
  llvm.cond_br %none, ^bb2, ^bb1
^bb1:
  // expected-remark @below [argument-free] {{%q}}
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.br ^bb2
^bb2:
  llvm.return
}
llvm.func @perhaps_null(%p: !llvm.ptr, %n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call @drop_with(%p, %a) : (!llvm.ptr, !llvm.ptr) -> ()
  // expected-warning @below [possible-double-free] {{%a is freed a second time}}
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @surely_not_null(%n: i64) {
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call @drop_with(%p, %a) : (!llvm.ptr, !llvm.ptr) -> ()
  // expected-error @below [double-free] {{%a is freed a second time}}
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}
