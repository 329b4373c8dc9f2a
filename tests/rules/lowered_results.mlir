// What functions lowered to LLVM give back: a buffer that a call has just made is no other one, what is put in the only
// place of a struct is all that it holds, and descriptors say in which memory space their buffer is.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @elsewhere(i64) -> !llvm.ptr

llvm.func internal @fresh(%n: i64) -> !llvm.ptr {
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.return %p : !llvm.ptr
}

llvm.func @two_live_at_once(%n: i64) {
  %a = llvm.call @fresh(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @fresh(%n) : (i64) -> !llvm.ptr
  %differ = llvm.icmp "ne" %a, %b : !llvm.ptr
  llvm.cond_br %differ, ^bb1, ^bb2
^bb1:
  llvm.call @free(%b) : (!llvm.ptr) -> ()
  llvm.br ^bb2
^bb2:
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 1 operation}}
  llvm.return
}

llvm.func @as_numbers(%n: i64) {
  %a = llvm.call @fresh(%n) : (i64) -> !llvm.ptr
  // expected-warning @below [leak] {{%b}}
  %b = llvm.call @fresh(%n) : (i64) -> !llvm.ptr
  %0 = llvm.ptrtoint %a : !llvm.ptr to i64
  %1 = llvm.ptrtoint %b : !llvm.ptr to i64
  %same = llvm.icmp "eq" %0, %1 : i64
  llvm.cond_br %same, ^bb1, ^bb2
^bb1:
  llvm.call @free(%b) : (!llvm.ptr) -> ()
  llvm.br ^bb2
^bb2:
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 1 operation}}
  llvm.return
}

llvm.func @in_the_memory_of_another(%n: i64) {
  %a = llvm.call @fresh(%n) : (i64) -> !llvm.ptr
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  // expected-warning @below [possible-leak] {{%b}}
  %b = llvm.call @fresh(%n) : (i64) -> !llvm.ptr
  %differ = llvm.icmp "ne" %a, %b : !llvm.ptr
  llvm.cond_br %differ, ^bb1, ^bb2
^bb1:
  llvm.call @free(%b) : (!llvm.ptr) -> ()
  llvm.br ^bb2
^bb2:
  llvm.return
}

llvm.func @of_a_library(%n: i64) {
  %a = llvm.call @elsewhere(%n) : (i64) -> !llvm.ptr
  // expected-warning @below [possible-leak] {{%b}}
  %b = llvm.call @elsewhere(%n) : (i64) -> !llvm.ptr
  %differ = llvm.icmp "ne" %a, %b : !llvm.ptr
  llvm.cond_br %differ, ^bb1, ^bb2
^bb1:
  llvm.call @free(%b) : (!llvm.ptr) -> ()
  llvm.br ^bb2
^bb2:
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 1 operation}}
  llvm.return
}

llvm.func @packed(%n: i64) -> !llvm.struct<(struct<(i64, ptr)>, struct<(i64, ptr)>)> {
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(i64, ptr)>
  %1 = llvm.insertvalue %n, %0[0] : !llvm.struct<(i64, ptr)>
  %2 = llvm.insertvalue %p, %1[1] : !llvm.struct<(i64, ptr)>
  %q = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %3 = llvm.insertvalue %q, %1[1] : !llvm.struct<(i64, ptr)>
  %4 = llvm.mlir.poison : !llvm.struct<(struct<(i64, ptr)>, struct<(i64, ptr)>)>
  %5 = llvm.insertvalue %2, %4[0] : !llvm.struct<(struct<(i64, ptr)>, struct<(i64, ptr)>)>
  %6 = llvm.insertvalue %3, %5[1] : !llvm.struct<(struct<(i64, ptr)>, struct<(i64, ptr)>)>
  llvm.return %6 : !llvm.struct<(struct<(i64, ptr)>, struct<(i64, ptr)>)>
}

llvm.func @put_in_place_of_another(%n: i64) -> !llvm.struct<(i64, ptr)> {
  // expected-warning @below [leak] {{%p}}
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(i64, ptr)>
  %1 = llvm.insertvalue %p, %0[1] : !llvm.struct<(i64, ptr)>
  %q = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %2 = llvm.insertvalue %q, %1[1] : !llvm.struct<(i64, ptr)>
  llvm.return %2 : !llvm.struct<(i64, ptr)>
}

llvm.func @of_another_space(%given: !llvm.struct<(ptr<3>, ptr<3>, i32, array<1 x i32>, array<1 x i32>)>) -> !llvm.struct<(ptr<3>, ptr<3>, i32, array<1 x i32>, array<1 x i32>)> {
  %0 = builtin.unrealized_conversion_cast %given : !llvm.struct<(ptr<3>, ptr<3>, i32, array<1 x i32>, array<1 x i32>)> to memref<?xf32, 3>
  %1 = bufferization.clone %0 : memref<?xf32, 3> to memref<?xf32, 3>
  // expected-warning @below [leak] {{%2}}
  %2 = bufferization.clone %0 : memref<?xf32, 3> to memref<?xf32, 3>
  %3 = builtin.unrealized_conversion_cast %1 : memref<?xf32, 3> to !llvm.struct<(ptr<3>, ptr<3>, i32, array<1 x i32>, array<1 x i32>)>
  llvm.return %3 : !llvm.struct<(ptr<3>, ptr<3>, i32, array<1 x i32>, array<1 x i32>)>
}
