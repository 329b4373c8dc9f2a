// Memrefs without a rank, lowered: their rank and the address of their descriptor are passed, or the address of both.
// Functions that are only declared borrow what they are passed so, also in a function that is passed it itself.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @memrefCopy(i64, !llvm.ptr, !llvm.ptr)
llvm.func @print(i64, !llvm.ptr)

llvm.func private @copies(%size: i64, %a: !llvm.ptr, %b: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %rank = llvm.mlir.constant(0 : i64) : i64
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(ptr, ptr, i64)>
  %2 = llvm.insertvalue %a, %1[1] : !llvm.struct<(ptr, ptr, i64)>
  %3 = llvm.insertvalue %b, %0[0] : !llvm.struct<(ptr, ptr, i64)>
  %4 = llvm.insertvalue %b, %3[1] : !llvm.struct<(ptr, ptr, i64)>
  %from = llvm.alloca %one x !llvm.struct<(ptr, ptr, i64)> : (i64) -> !llvm.ptr
  llvm.store %2, %from : !llvm.struct<(ptr, ptr, i64)>, !llvm.ptr
  %to = llvm.alloca %one x !llvm.struct<(ptr, ptr, i64)> : (i64) -> !llvm.ptr
  llvm.store %4, %to : !llvm.struct<(ptr, ptr, i64)>, !llvm.ptr
  %5 = llvm.mlir.poison : !llvm.struct<(i64, ptr)>
  %6 = llvm.insertvalue %rank, %5[0] : !llvm.struct<(i64, ptr)>
  %7 = llvm.insertvalue %from, %6[1] : !llvm.struct<(i64, ptr)>
  %8 = llvm.insertvalue %to, %6[1] : !llvm.struct<(i64, ptr)>
  %9 = llvm.alloca %one x !llvm.struct<(i64, ptr)> : (i64) -> !llvm.ptr
  llvm.store %7, %9 : !llvm.struct<(i64, ptr)>, !llvm.ptr
  %10 = llvm.alloca %one x !llvm.struct<(i64, ptr)> : (i64) -> !llvm.ptr
  llvm.store %8, %10 : !llvm.struct<(i64, ptr)>, !llvm.ptr
  llvm.call @memrefCopy(%size, %9, %10) : (i64, !llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}

llvm.func private @prints(%a: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %rank = llvm.mlir.constant(0 : i64) : i64
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(ptr, ptr, i64)>
  %2 = llvm.insertvalue %a, %1[1] : !llvm.struct<(ptr, ptr, i64)>
  %d = llvm.alloca %one x !llvm.struct<(ptr, ptr, i64)> : (i64) -> !llvm.ptr
  llvm.store %2, %d : !llvm.struct<(ptr, ptr, i64)>, !llvm.ptr
  %3 = llvm.mlir.poison : !llvm.struct<(i64, ptr)>
  %4 = llvm.insertvalue %rank, %3[0] : !llvm.struct<(i64, ptr)>
  %5 = llvm.insertvalue %d, %4[1] : !llvm.struct<(i64, ptr)>
  %6 = llvm.extractvalue %5[0] : !llvm.struct<(i64, ptr)>
  %7 = llvm.extractvalue %5[1] : !llvm.struct<(i64, ptr)>
  llvm.call @print(%6, %7) : (i64, !llvm.ptr) -> ()
  llvm.return
}

llvm.func @borrowed(%n: i64, %v: f32) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %v, %a : f32, !llvm.ptr
  // expected-warning @below [leak] {{%b}}
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call @copies(%n, %a, %b) : (i64, !llvm.ptr, !llvm.ptr) -> ()
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.call @prints(%b) : (!llvm.ptr) -> ()
  // expected-error @below [use-after-free] {{%a}}
  llvm.call @prints(%a) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @freed_before_it_is_copied(%size: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %a = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  llvm.call @free(%b) : (!llvm.ptr) -> ()
  // expected-error @below [use-after-free] {{%b}}
  llvm.call @copies(%size, %a, %b) : (i64, !llvm.ptr, !llvm.ptr) -> ()
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}

// An address may be kept where it points to.
llvm.func @itself(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %0 = llvm.mlir.poison : !llvm.struct<(i64, ptr)>
  %p = llvm.alloca %one x !llvm.struct<(i64, ptr)> : (i64) -> !llvm.ptr
  %q = llvm.alloca %one x !llvm.struct<(i64, ptr)> : (i64) -> !llvm.ptr
  %1 = llvm.insertvalue %p, %0[1] : !llvm.struct<(i64, ptr)>
  %2 = llvm.insertvalue %q, %0[1] : !llvm.struct<(i64, ptr)>
  llvm.store %1, %q : !llvm.struct<(i64, ptr)>, !llvm.ptr
  llvm.store %2, %p : !llvm.struct<(i64, ptr)>, !llvm.ptr
  llvm.store %1, %p : !llvm.struct<(i64, ptr)>, !llvm.ptr
  llvm.return
}
