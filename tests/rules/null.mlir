// Memory that was asked for is not null: where it would be, there is nothing to free.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

llvm.func @freed_unless_null() {
  %n = llvm.mlir.constant(16 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %none = llvm.icmp "eq" %a, %null : !llvm.ptr
  llvm.cond_br %none, ^bb2, ^bb1
^bb1:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^bb2
^bb2:
  llvm.return
}

llvm.func @lost_unless_null() {
  %n = llvm.mlir.constant(16 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  // expected-warning @below [leak] {{buffer %a of 16 bytes is never freed}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %some = llvm.icmp "ne" %a, %null : !llvm.ptr
  llvm.cond_br %some, ^bb2, ^bb1
^bb1:
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.br ^bb2
^bb2:
  llvm.return
}

// Which of them it is, the pointer tells.
llvm.func @freed_where_it_was_made(%make: i1) {
  %n = llvm.mlir.constant(16 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  llvm.cond_br %make, ^bb1, ^bb2(%null : !llvm.ptr)
^bb1:
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.br ^bb2(%a : !llvm.ptr)
^bb2(%p: !llvm.ptr):
  %some = llvm.icmp "ne" %p, %null : !llvm.ptr
  llvm.cond_br %some, ^bb3, ^bb4
^bb3:
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.br ^bb4
^bb4:
  llvm.return
}

// The caller may pass none: what is right then is right.
llvm.func @given(%p: !llvm.ptr) {
  %null = llvm.mlir.zero : !llvm.ptr
  %n = llvm.mlir.constant(16 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %some = llvm.icmp "ne" %p, %null : !llvm.ptr
  llvm.cond_br %some, ^bb1, ^bb2
^bb1:
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 1 operation}}
  llvm.br ^bb2
^bb2:
  %again = llvm.icmp "eq" %p, %null : !llvm.ptr
  llvm.cond_br %again, ^bb3, ^bb4
^bb3:
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 2 operations}}
  llvm.br ^bb4
^bb4:
  llvm.return
}
