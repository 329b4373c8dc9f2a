// Addresses as numbers, as lowering writes them: whether two are the same, which buffers they are tells; anything else
// that is computed of one is a number like others.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

// What upstream's deallocation makes of a loop that carries the caller's buffer or a new one, with a flag that says whose
// it is. A memref is passed as two pointers to one buffer.
llvm.func @carried_with_its_flag(%arg0: i64, %arg1: i64, %arg2: i64, %arg3: !llvm.ptr, %arg4: !llvm.ptr, %arg5: i64, %arg6: i64, %arg7: i64, %arg8: !llvm.ptr, %arg9: !llvm.ptr, %arg10: i64, %arg11: i64, %arg12: i64) {
  %0 = llvm.mlir.constant(0 : index) : i64
  %1 = llvm.mlir.zero : !llvm.ptr
  %2 = llvm.mlir.constant(1 : index) : i64
  %3 = llvm.mlir.constant(2 : index) : i64
  %4 = llvm.mlir.constant(false) : i1
  %5 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %6 = llvm.insertvalue %arg8, %5[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %7 = llvm.insertvalue %arg9, %6[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %8 = llvm.insertvalue %arg10, %7[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %9 = llvm.insertvalue %arg11, %8[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %10 = llvm.insertvalue %arg12, %9[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %11 = builtin.unrealized_conversion_cast %10 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<2xf32>
  %12 = llvm.insertvalue %arg3, %5[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %13 = llvm.insertvalue %arg4, %12[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %14 = llvm.insertvalue %arg5, %13[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %15 = llvm.insertvalue %arg6, %14[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %16 = llvm.insertvalue %arg7, %15[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  llvm.br ^bb1(%arg0, %16, %4 : i64, !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, i1)
^bb1(%17: i64, %18: !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, %19: i1):
  %20 = builtin.unrealized_conversion_cast %18 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<2xf32>
  %21 = llvm.icmp "slt" %17, %arg1 : i64
  llvm.cond_br %21, ^bb2, ^bb9
^bb2:
  %22 = llvm.icmp "eq" %17, %arg1 : i64
  llvm.cond_br %22, ^bb3, ^bb4
^bb3:
  %23 = llvm.getelementptr %1[2] : (!llvm.ptr) -> !llvm.ptr, f32
  %24 = llvm.ptrtoint %23 : !llvm.ptr to i64
  %25 = llvm.call @malloc(%24) : (i64) -> !llvm.ptr
  llvm.store %3, %25 : i64, !llvm.ptr
  %26 = llvm.insertvalue %25, %5[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %27 = llvm.insertvalue %25, %26[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %28 = llvm.insertvalue %0, %27[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %29 = llvm.insertvalue %3, %28[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %30 = llvm.insertvalue %2, %29[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  llvm.br ^bb5(%30 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>)
^bb4:
  llvm.br ^bb5(%18 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>)
^bb5(%31: !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>):
  llvm.br ^bb6
^bb6:
  %32 = llvm.extractvalue %18[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %33 = llvm.extractvalue %18[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %34 = llvm.ptrtoint %33 : !llvm.ptr to i64
  %35 = llvm.extractvalue %31[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %36 = llvm.ptrtoint %35 : !llvm.ptr to i64
  %37 = llvm.icmp "ne" %34, %36 : i64
  %38 = llvm.and %37, %19 : i1
  llvm.cond_br %38, ^bb7, ^bb8
^bb7:
  llvm.call @free(%32) : (!llvm.ptr) -> ()
  llvm.br ^bb8
^bb8:
  %39 = llvm.icmp "eq" %34, %36 : i64
  %40 = llvm.and %39, %19 : i1
  %41 = llvm.or %40, %22 : i1
  %42 = llvm.add %17, %arg2 : i64
  llvm.br ^bb1(%42, %31, %41 : i64, !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, i1)
^bb9:
  memref.copy %20, %11 : memref<2xf32> to memref<2xf32>
  %43 = llvm.extractvalue %18[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  llvm.cond_br %19, ^bb10, ^bb11
^bb10:
  llvm.call @free(%43) : (!llvm.ptr) -> ()
  llvm.br ^bb11
^bb11:
  llvm.return
}

// The same number decides twice.
llvm.func @decides_twice(%a: !llvm.ptr, %k: i64) {
  %n = llvm.mlir.constant(16 : i64) : i64
  %i = llvm.ptrtoint %a : !llvm.ptr to i64
  %c = llvm.icmp "ult" %i, %k : i64
  llvm.cond_br %c, ^bb1, ^bb2(%a : !llvm.ptr)
^bb1:
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.br ^bb2(%b : !llvm.ptr)
^bb2(%p: !llvm.ptr):
  llvm.store %k, %p : i64, !llvm.ptr
  llvm.cond_br %c, ^bb3, ^bb4
^bb3:
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.br ^bb4
^bb4:
  llvm.return
}

llvm.func @computed_once(%a: !llvm.ptr, %k: i64) {
  %n = llvm.mlir.constant(16 : i64) : i64
  %m = llvm.mlir.constant(63 : i64) : i64
  %zero = llvm.mlir.constant(0 : i64) : i64
  %i = llvm.ptrtoint %a : !llvm.ptr to i64
  %r = llvm.and %i, %m : i64
  %c = llvm.icmp "eq" %r, %zero : i64
  llvm.cond_br %c, ^bb1, ^bb2(%a : !llvm.ptr)
^bb1:
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.br ^bb2(%b : !llvm.ptr)
^bb2(%p: !llvm.ptr):
  llvm.store %k, %p : i64, !llvm.ptr
  %c2 = llvm.icmp "eq" %r, %zero : i64
  llvm.cond_br %c2, ^bb3, ^bb4
^bb3:
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.br ^bb4
^bb4:
  llvm.return
}

llvm.func @apart(%a: !llvm.ptr, %b: !llvm.ptr, %k: i64) {
  %n = llvm.mlir.constant(16 : i64) : i64
  %m = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %i = llvm.ptrtoint %a : !llvm.ptr to i64
  %j = llvm.ptrtoint %m : !llvm.ptr to i64
  %d = llvm.sub %i, %j : i64
  %c = llvm.icmp "ugt" %d, %n : i64
  llvm.cond_br %c, ^bb1, ^bb2
^bb1:
  llvm.call @free(%m) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 1 operation}}
  llvm.br ^bb2
^bb2:
  llvm.cond_br %c, ^bb4, ^bb3
^bb3:
  llvm.call @free(%m) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 1 operation}}
  llvm.br ^bb4
^bb4:
  llvm.return
}
