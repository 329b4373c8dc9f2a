// A memref of the stack that has no dimensions, lowered, is a variable whose address a descriptor has twice.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @use(!llvm.ptr, !llvm.ptr, i64)

// Freed in the last round only.
llvm.func @freed_in_one_round(%n: i64) {
  %0 = llvm.mlir.constant(0 : i64) : i64
  %1 = llvm.mlir.constant(1 : i64) : i64
  %2 = llvm.mlir.constant(2 : i64) : i64
  %v = llvm.alloca %1 x !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> : (i64) -> !llvm.ptr
  llvm.br ^head(%0 : i64)
^head(%i: i64):
  %go = llvm.icmp "slt" %i, %2 : i64
  llvm.cond_br %go, ^body, ^end
^body:
  %last = llvm.icmp "eq" %i, %1 : i64
  // expected-warning @below [leak] {{buffer %a of %n bytes is never freed}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %3 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %4 = llvm.insertvalue %a, %3[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %5 = llvm.insertvalue %a, %4[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %6 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
  %7 = llvm.insertvalue %v, %6[0] : !llvm.struct<(ptr, ptr, i64)>
  %8 = llvm.insertvalue %v, %7[1] : !llvm.struct<(ptr, ptr, i64)>
  %9 = llvm.insertvalue %0, %8[2] : !llvm.struct<(ptr, ptr, i64)>
  %to = llvm.extractvalue %9[1] : !llvm.struct<(ptr, ptr, i64)>
  llvm.store %5, %to : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, !llvm.ptr
  %from = llvm.extractvalue %9[1] : !llvm.struct<(ptr, ptr, i64)>
  %10 = llvm.load %from : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  llvm.cond_br %last, ^free, ^next
^free:
  %b = llvm.extractvalue %10[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  llvm.call @free(%b) : (!llvm.ptr) -> ()
  llvm.br ^next
^next:
  %j = llvm.add %i, %1 : i64
  llvm.br ^head(%j : i64)
^end:
  llvm.return
}

llvm.func @freed_by_both_names(%n: i64) {
  %0 = llvm.mlir.constant(0 : i64) : i64
  %1 = llvm.mlir.constant(1 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %v = llvm.alloca %1 x !llvm.ptr : (i64) -> !llvm.ptr
  %2 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
  %3 = llvm.insertvalue %v, %2[0] : !llvm.struct<(ptr, ptr, i64)>
  %4 = llvm.insertvalue %v, %3[1] : !llvm.struct<(ptr, ptr, i64)>
  %5 = llvm.insertvalue %0, %4[2] : !llvm.struct<(ptr, ptr, i64)>
  %to = llvm.extractvalue %5[1] : !llvm.struct<(ptr, ptr, i64)>
  llvm.store %a, %to : !llvm.ptr, !llvm.ptr
  %from = llvm.extractvalue %5[0] : !llvm.struct<(ptr, ptr, i64)>
  %b = llvm.load %from : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  // expected-error @below [double-free] {{the buffer of %b is freed a second time}}
  llvm.call @free(%b) : (!llvm.ptr) -> ()
  llvm.return
}

// The variable says who owns the buffer.
llvm.func @flag(%n: i64, %p: i1) {
  %0 = llvm.mlir.constant(0 : i64) : i64
  %1 = llvm.mlir.constant(1 : i64) : i64
  %true = llvm.mlir.constant(true) : i1
  %false = llvm.mlir.constant(false) : i1
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %v = llvm.alloca %1 x i1 : (i64) -> !llvm.ptr
  %2 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
  %3 = llvm.insertvalue %v, %2[0] : !llvm.struct<(ptr, ptr, i64)>
  %4 = llvm.insertvalue %v, %3[1] : !llvm.struct<(ptr, ptr, i64)>
  %first = llvm.extractvalue %4[1] : !llvm.struct<(ptr, ptr, i64)>
  llvm.store %true, %first : i1, !llvm.ptr
  llvm.cond_br %p, ^early, ^late
^early:
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 6 operations}}
  %second = llvm.extractvalue %4[1] : !llvm.struct<(ptr, ptr, i64)>
  llvm.store %false, %second : i1, !llvm.ptr
  llvm.br ^late
^late:
  %third = llvm.extractvalue %4[1] : !llvm.struct<(ptr, ptr, i64)>
  %owned = llvm.load %third : !llvm.ptr -> i1
  llvm.cond_br %owned, ^free, ^end
^free:
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 8 operations}}
  llvm.br ^end
^end:
  llvm.return
}

// Elements of an array that constants tell apart.
llvm.func @array(%n: i64) {
  %0 = llvm.mlir.constant(0 : i64) : i64
  %1 = llvm.mlir.constant(1 : i64) : i64
  %2 = llvm.mlir.constant(2 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  // expected-warning @below [leak] {{buffer %b of %n bytes is never freed}}
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %v = llvm.alloca %2 x !llvm.ptr : (i64) -> !llvm.ptr
  %3 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %4 = llvm.insertvalue %v, %3[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %5 = llvm.insertvalue %v, %4[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %6 = llvm.extractvalue %5[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %7 = llvm.getelementptr %6[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  llvm.store %a, %7 : !llvm.ptr, !llvm.ptr
  %8 = llvm.extractvalue %5[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %9 = llvm.getelementptr %8[2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  llvm.store %b, %9 : !llvm.ptr, !llvm.ptr
  %10 = llvm.extractvalue %5[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %11 = llvm.getelementptr %10[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %12 = llvm.load %11 : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%12) : (!llvm.ptr) -> ()
  llvm.return
}

// Whoever has the descriptor may do anything with what is in the variable.
llvm.func @passed(%n: i64) {
  %0 = llvm.mlir.constant(0 : i64) : i64
  %1 = llvm.mlir.constant(1 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %v = llvm.alloca %1 x !llvm.ptr : (i64) -> !llvm.ptr
  %2 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
  %3 = llvm.insertvalue %v, %2[0] : !llvm.struct<(ptr, ptr, i64)>
  %4 = llvm.insertvalue %v, %3[1] : !llvm.struct<(ptr, ptr, i64)>
  %to = llvm.extractvalue %4[1] : !llvm.struct<(ptr, ptr, i64)>
  llvm.store %a, %to : !llvm.ptr, !llvm.ptr
  %x = llvm.extractvalue %4[0] : !llvm.struct<(ptr, ptr, i64)>
  %y = llvm.extractvalue %4[1] : !llvm.struct<(ptr, ptr, i64)>
  llvm.call @use(%x, %y, %0) : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
}

// What has another address besides is another memref.
llvm.func @other(%n: i64, %other: !llvm.ptr) {
  %1 = llvm.mlir.constant(1 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %v = llvm.alloca %1 x !llvm.ptr : (i64) -> !llvm.ptr
  %2 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
  %3 = llvm.insertvalue %v, %2[0] : !llvm.struct<(ptr, ptr, i64)>
  %4 = llvm.insertvalue %other, %3[1] : !llvm.struct<(ptr, ptr, i64)>
  %to = llvm.extractvalue %4[1] : !llvm.struct<(ptr, ptr, i64)>
  llvm.store %a, %to : !llvm.ptr, !llvm.ptr
  llvm.return
}

// Elements that are larger than a pointer are apart where they are what is counted in, and flags are.
llvm.func @array_of_descriptors(%n: i64, %p: i1) {
  %0 = llvm.mlir.constant(0 : i64) : i64
  %1 = llvm.mlir.constant(1 : i64) : i64
  %2 = llvm.mlir.constant(2 : i64) : i64
  // expected-warning @below [leak] {{buffer %a of %n bytes is never freed}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %v = llvm.alloca %2 x !llvm.struct<(ptr, ptr, i64)> : (i64) -> !llvm.ptr
  %3 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
  %4 = llvm.insertvalue %a, %3[0] : !llvm.struct<(ptr, ptr, i64)>
  %5 = llvm.insertvalue %a, %4[1] : !llvm.struct<(ptr, ptr, i64)>
  %6 = llvm.insertvalue %b, %3[0] : !llvm.struct<(ptr, ptr, i64)>
  %7 = llvm.insertvalue %b, %6[1] : !llvm.struct<(ptr, ptr, i64)>
  %8 = llvm.getelementptr inbounds|nuw %v[%0] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(ptr, ptr, i64)>
  llvm.store %5, %8 : !llvm.struct<(ptr, ptr, i64)>, !llvm.ptr
  %9 = llvm.getelementptr inbounds|nuw %v[%1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(ptr, ptr, i64)>
  llvm.store %7, %9 : !llvm.struct<(ptr, ptr, i64)>, !llvm.ptr
  %10 = llvm.load %9 : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64)>
  %11 = llvm.extractvalue %10[0] : !llvm.struct<(ptr, ptr, i64)>
  llvm.call @free(%11) : (!llvm.ptr) -> ()
  llvm.return
}
// Whatever size they have: what they take depends on the target.
llvm.func @array_of_long_doubles(%n: i64) {
  %1 = llvm.mlir.constant(1 : i64) : i64
  %2 = llvm.mlir.constant(2 : i64) : i64
  // expected-warning @below [leak] {{buffer %a of %n bytes is never freed}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %v = llvm.alloca %2 x !llvm.struct<(ptr, x86_fp80)> : (i64) -> !llvm.ptr
  %3 = llvm.mlir.poison : !llvm.struct<(ptr, x86_fp80)>
  %4 = llvm.insertvalue %a, %3[0] : !llvm.struct<(ptr, x86_fp80)>
  %5 = llvm.insertvalue %b, %3[0] : !llvm.struct<(ptr, x86_fp80)>
  llvm.store %4, %v : !llvm.struct<(ptr, x86_fp80)>, !llvm.ptr
  %6 = llvm.getelementptr %v[%1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(ptr, x86_fp80)>
  llvm.store %5, %6 : !llvm.struct<(ptr, x86_fp80)>, !llvm.ptr
  %7 = llvm.load %6 : !llvm.ptr -> !llvm.struct<(ptr, x86_fp80)>
  %8 = llvm.extractvalue %7[0] : !llvm.struct<(ptr, x86_fp80)>
  llvm.call @free(%8) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @array_of_flags(%n: i64, %p: i1) {
  %1 = llvm.mlir.constant(1 : i64) : i64
  %2 = llvm.mlir.constant(2 : i64) : i64
  %true = llvm.mlir.constant(true) : i1
  %false = llvm.mlir.constant(false) : i1
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %v = llvm.alloca %2 x i1 : (i64) -> !llvm.ptr
  %second = llvm.getelementptr %v[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i1
  llvm.store %false, %v : i1, !llvm.ptr
  llvm.store %true, %second : i1, !llvm.ptr
  llvm.cond_br %p, ^early, ^late
^early:
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 4 operations}}
  llvm.store %false, %second : i1, !llvm.ptr
  llvm.br ^late
^late:
  %owned = llvm.load %second : !llvm.ptr -> i1
  llvm.cond_br %owned, ^free, ^end
^free:
  llvm.call @free(%a) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 5 operations}}
  llvm.br ^end
^end:
  llvm.return
}
// Counted in something smaller they overlap.
llvm.func @overlapping(%n: i64) {
  %0 = llvm.mlir.constant(0 : i64) : i64
  %1 = llvm.mlir.constant(1 : i64) : i64
  %2 = llvm.mlir.constant(2 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %v = llvm.alloca %2 x !llvm.struct<(ptr, ptr, i64)> : (i64) -> !llvm.ptr
  %3 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
  %4 = llvm.insertvalue %a, %3[0] : !llvm.struct<(ptr, ptr, i64)>
  %5 = llvm.insertvalue %a, %4[1] : !llvm.struct<(ptr, ptr, i64)>
  llvm.store %5, %v : !llvm.struct<(ptr, ptr, i64)>, !llvm.ptr
  %6 = llvm.getelementptr %v[%1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  %7 = llvm.load %6 : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64)>
  %8 = llvm.extractvalue %7[0] : !llvm.struct<(ptr, ptr, i64)>
  llvm.call @free(%8) : (!llvm.ptr) -> ()
  llvm.return
}
