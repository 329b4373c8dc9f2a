// Aggregates of types that have a name here and are spelled out there: of what is handed on nothing is told that is wrong.

!pair = !llvm.struct<(ptr, i64)>
!two = !llvm.struct<(!pair, ptr)>
!named = !llvm.struct<"named", (ptr, ptr)>
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

// Part by part.
llvm.func @inside(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %p = llvm.mlir.poison : !two
  %v = llvm.insertvalue %a, %p[0, 0] : !two
  %w = llvm.insertvalue %b, %v[1] : !two
  %x = llvm.extractvalue %w[0] : !two
  %e = llvm.extractvalue %x[0] : !pair
  llvm.call @free(%e) : (!llvm.ptr) -> ()
  %f = llvm.extractvalue %w[1] : !two
  llvm.call @free(%f) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func private @give_named(%n: i64) -> !llvm.struct<"named", (ptr, ptr)> {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %p = llvm.mlir.poison : !llvm.struct<"named", (ptr, ptr)>
  %v = llvm.insertvalue %a, %p[0] : !llvm.struct<"named", (ptr, ptr)>
  %w = llvm.insertvalue %b, %v[1] : !llvm.struct<"named", (ptr, ptr)>
  llvm.return %w : !llvm.struct<"named", (ptr, ptr)>
}
llvm.func private @give_two(%n: i64) -> !two {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %p = llvm.mlir.poison : !two
  %v = llvm.insertvalue %a, %p[0, 0] : !llvm.struct<(!pair, ptr)>
  %w = llvm.insertvalue %b, %v[1] : !two
  llvm.return %w : !two
}
llvm.func private @free_two(%w: !llvm.struct<(struct<(ptr, i64)>, ptr)>) {
  %e = llvm.extractvalue %w[0, 0] : !two
  // expected-remark @below [argument-free] {{%e}}
  llvm.call @free(%e) : (!llvm.ptr) -> ()
  %f = llvm.extractvalue %w[1] : !llvm.struct<(!pair, ptr)>
  // expected-remark @below [argument-free] {{%f}}
  llvm.call @free(%f) : (!llvm.ptr) -> ()
  llvm.return
}

// Spelled out where it is called, and the other way round.
llvm.func @passed_by_name(%n: i64) {
  %w = llvm.call @give_two(%n) : (i64) -> !two
  llvm.call @free_two(%w) : (!two) -> ()
  llvm.return
}
llvm.func private @free_named_two(%w: !two) {
  %e = llvm.extractvalue %w[0, 0] : !two
  // expected-remark @below [argument-free] {{%e}}
  llvm.call @free(%e) : (!llvm.ptr) -> ()
  %f = llvm.extractvalue %w[1] : !two
  // expected-remark @below [argument-free] {{%f}}
  llvm.call @free(%f) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @passed_spelled_out(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %p = llvm.mlir.poison : !llvm.struct<(struct<(ptr, i64)>, ptr)>
  %v = llvm.insertvalue %a, %p[0, 0] : !llvm.struct<(struct<(ptr, i64)>, ptr)>
  %w = llvm.insertvalue %b, %v[1] : !llvm.struct<(struct<(ptr, i64)>, ptr)>
  llvm.call @free_named_two(%w) : (!llvm.struct<(struct<(ptr, i64)>, ptr)>) -> ()
  llvm.return
}

// In another aggregate.
llvm.func @in_an_array(%n: i64) {
  %w = llvm.call @give_named(%n) : (i64) -> !llvm.struct<"named", (ptr, ptr)>
  %s = llvm.mlir.poison : !llvm.array<1 x !named>
  %u = llvm.insertvalue %w, %s[0] : !llvm.array<1 x !named>
  %x = llvm.extractvalue %u[0, 0] : !llvm.array<1 x !named>
  %y = llvm.extractvalue %u[0, 1] : !llvm.array<1 x struct<"named", (ptr, ptr)>>
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @never_freed(%n: i64) {
  // expected-warning @below [leak] {{%a}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  // expected-warning @below [leak] {{%b}}
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %p = llvm.mlir.poison : !llvm.struct<"named", (ptr, ptr)>
  %v = llvm.insertvalue %a, %p[0] : !llvm.struct<"named", (ptr, ptr)>
  %w = llvm.insertvalue %b, %v[1] : !llvm.struct<"named", (ptr, ptr)>
  llvm.return
}
