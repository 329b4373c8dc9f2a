// Fields of an aggregate are told apart where it is built in sight: a memref lowered to LLVM is a struct that names
// its buffer twice.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

llvm.func @freed_as_it_is_lowered(%n: i64) {
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
  %1 = llvm.insertvalue %p, %0[0] : !llvm.struct<(ptr, ptr, i64)>
  %2 = llvm.insertvalue %p, %1[1] : !llvm.struct<(ptr, ptr, i64)>
  %3 = llvm.insertvalue %n, %2[2] : !llvm.struct<(ptr, ptr, i64)>
  %q = llvm.extractvalue %3[0] : !llvm.struct<(ptr, ptr, i64)>
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @freed_twice(%n: i64) {
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = "llvm.mlir.poison"() : () -> !llvm.struct<(ptr, ptr, i64)>
  %1 = "llvm.insertvalue"(%0, %p) <{position = array<i64: 1>}> : (!llvm.struct<(ptr, ptr, i64)>, !llvm.ptr) -> !llvm.struct<(ptr, ptr, i64)>
  %q = "llvm.extractvalue"(%1) <{position = array<i64: 1>}> : (!llvm.struct<(ptr, ptr, i64)>) -> !llvm.ptr
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  // expected-error @below [double-free] {{%p}}
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @two_buffers_in_one(%n: i64) {
  // expected-warning @below [leak] {{%b}}
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, struct<(ptr, i64)>)>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(ptr, struct<(ptr, i64)>)>
  %2 = llvm.insertvalue %b, %1[1, 0] : !llvm.struct<(ptr, struct<(ptr, i64)>)>
  %q = llvm.extractvalue %2[0] : !llvm.struct<(ptr, struct<(ptr, i64)>)>
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  // expected-error @below [double-free] {{%q}}
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @results_are_packed(%n: i64) -> !llvm.struct<(struct<(ptr, i64)>, struct<(ptr, i64)>)> {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, i64)>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(ptr, i64)>
  %2 = llvm.insertvalue %b, %0[0] : !llvm.struct<(ptr, i64)>
  %3 = llvm.mlir.poison : !llvm.struct<(struct<(ptr, i64)>, struct<(ptr, i64)>)>
  %4 = llvm.insertvalue %1, %3[0] : !llvm.struct<(struct<(ptr, i64)>, struct<(ptr, i64)>)>
  %5 = llvm.insertvalue %2, %4[1] : !llvm.struct<(struct<(ptr, i64)>, struct<(ptr, i64)>)>
  llvm.return %5 : !llvm.struct<(struct<(ptr, i64)>, struct<(ptr, i64)>)>
}

llvm.func @results_are_unpacked(%n: i64) {
  %0 = llvm.call @results_are_packed(%n) : (i64) -> !llvm.struct<(struct<(ptr, i64)>, struct<(ptr, i64)>)>
  %1 = llvm.extractvalue %0[0, 0] : !llvm.struct<(struct<(ptr, i64)>, struct<(ptr, i64)>)>
  %2 = llvm.extractvalue %0[1, 0] : !llvm.struct<(struct<(ptr, i64)>, struct<(ptr, i64)>)>
  llvm.call @free(%1) : (!llvm.ptr) -> ()
  llvm.call @free(%2) : (!llvm.ptr) -> ()
  llvm.return
}

// Sizes and strides are no memory, and a flag computed in this dialect decides as it does in `arith`.
llvm.func @numbers(%n: i64, %c: i1) {
  %true = llvm.mlir.constant(true) : i1
  %one = llvm.mlir.constant(1 : index) : i64
  %not = llvm.xor %c, %true : i1
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %1 = llvm.insertvalue %p, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %2 = llvm.insertvalue %n, %1[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %size = llvm.extractvalue %2[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %3 = llvm.insertvalue %size, %2[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %q = llvm.extractvalue %3[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  llvm.cond_br %c, ^bb1, ^bb2
^bb1:
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.br ^bb2
^bb2:
  llvm.cond_br %not, ^bb3, ^bb4
^bb3:
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.br ^bb4
^bb4:
  %less = llvm.icmp "slt" %one, %one : i64
  llvm.cond_br %less, ^bb5, ^bb6
^bb5:
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.br ^bb6
^bb6:
  llvm.return
}

// Half-lowered: `memref.dealloc` is lowered to `free` or to the generic function.
llvm.func @half_lowered(%n: i64) {
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %m = builtin.unrealized_conversion_cast %p : !llvm.ptr to memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  llvm.return
}

llvm.func @across_blocks(%n: i64, %c: i1) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, i64)>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(ptr, i64)>
  llvm.cond_br %c, ^bb1(%1 : !llvm.struct<(ptr, i64)>), ^bb1(%1 : !llvm.struct<(ptr, i64)>)
^bb1(%d: !llvm.struct<(ptr, i64)>):
  %q = llvm.extractvalue %d[0] : !llvm.struct<(ptr, i64)>
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.return
}
