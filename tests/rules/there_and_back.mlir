// Addresses that go through numbers.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

// There and back again: the same address. So it is without a tag in the lowest bits, which no address has.
llvm.func @there_and_back() {
  %n = llvm.mlir.constant(16 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i64
  %p = llvm.inttoptr %i : i64 to !llvm.ptr
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @tagged() {
  %n = llvm.mlir.constant(16 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %upper = llvm.mlir.constant(-8 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i64
  %j = llvm.or %i, %one : i64
  %k = llvm.and %j, %upper : i64
  %p = llvm.inttoptr %k : i64 to !llvm.ptr
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  // expected-error @below [double-free] {{the buffer of %a is freed a second time}}
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @still_tagged() {
  %n = llvm.mlir.constant(16 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i64
  %j = llvm.or %i, %one : i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  // expected-warning @below [invalid-free] {{%p may point into its buffer}}
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @aligned_and_freed() {
  %n = llvm.mlir.constant(128 : i64) : i64
  %most = llvm.mlir.constant(63 : i64) : i64
  %upper = llvm.mlir.constant(-64 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i64
  %j = llvm.add %i, %most : i64
  %k = llvm.and %j, %upper : i64
  %p = llvm.inttoptr %k : i64 to !llvm.ptr
  // expected-warning @below [invalid-free] {{%p may point into its buffer}}
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}
// What was inside its buffer before is so still.
llvm.func @inside() {
  %n = llvm.mlir.constant(128 : i64) : i64
  %upper = llvm.mlir.constant(-8 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %part = llvm.getelementptr %a[16] : (!llvm.ptr) -> !llvm.ptr, i8
  %i = llvm.ptrtoint %part : !llvm.ptr to i64
  %k = llvm.and %i, %upper : i64
  %p = llvm.inttoptr %k : i64 to !llvm.ptr
  // expected-warning @below [invalid-free] {{%p may point into its buffer}}
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}
// In front of what is handed out there is a header.
llvm.func @behind_a_header(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %p = llvm.getelementptr %a[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64)>
  llvm.store %n, %p : i64, !llvm.ptr
  %q = llvm.getelementptr %p[-8] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @in_the_header(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %p = llvm.getelementptr %a[16] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %n, %p : i64, !llvm.ptr
  %q = llvm.getelementptr %p[-1] : (!llvm.ptr) -> !llvm.ptr, i64
  // expected-warning @below [invalid-free] {{%q may point into its buffer}}
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.return
}
