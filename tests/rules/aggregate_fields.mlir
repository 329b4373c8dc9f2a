// Several buffers in one aggregate are told apart wherever it goes: behind branches and regions, round loops, through
// selects and variables, into functions and out of them.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

llvm.func private @both(%a: !llvm.ptr, %b: !llvm.ptr) -> !llvm.struct<(ptr, ptr)> {
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr)>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(ptr, ptr)>
  %2 = llvm.insertvalue %b, %1[1] : !llvm.struct<(ptr, ptr)>
  llvm.return %2 : !llvm.struct<(ptr, ptr)>
}

llvm.func private @new(%n: i64) -> !llvm.struct<(ptr, ptr)> {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.call @both(%a, %b) : (!llvm.ptr, !llvm.ptr) -> !llvm.struct<(ptr, ptr)>
  llvm.br ^bb1(%0 : !llvm.struct<(ptr, ptr)>)
^bb1(%d: !llvm.struct<(ptr, ptr)>):
  llvm.return %d : !llvm.struct<(ptr, ptr)>
}

llvm.func private @free_both(%d: !llvm.struct<(ptr, ptr)>) {
  %x = llvm.extractvalue %d[0] : !llvm.struct<(ptr, ptr)>
  %y = llvm.extractvalue %d[1] : !llvm.struct<(ptr, ptr)>
  // expected-remark @below [argument-free] {{%x}}
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  // expected-remark @below [argument-free] {{%y}}
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @called(%n: i64) {
  %0 = llvm.call @new(%n) : (i64) -> !llvm.struct<(ptr, ptr)>
  llvm.call @free_both(%0) : (!llvm.struct<(ptr, ptr)>) -> ()
  %1 = llvm.call @new(%n) : (i64) -> !llvm.struct<(ptr, ptr)>
  %x = llvm.extractvalue %1[0] : !llvm.struct<(ptr, ptr)>
  %y = llvm.extractvalue %1[1] : !llvm.struct<(ptr, ptr)>
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  // expected-error @below [double-free] {{%1}}
  llvm.call @free_both(%1) : (!llvm.struct<(ptr, ptr)>) -> ()
  llvm.return
}

// Where one buffer begins and ends.
llvm.func private @range(%n: i64) -> !llvm.struct<(ptr, ptr)> {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %end = llvm.getelementptr %a[%n] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %0 = llvm.call @both(%a, %end) : (!llvm.ptr, !llvm.ptr) -> !llvm.struct<(ptr, ptr)>
  llvm.return %0 : !llvm.struct<(ptr, ptr)>
}

llvm.func @one_buffer_in_both(%n: i64) {
  %0 = llvm.call @range(%n) : (i64) -> !llvm.struct<(ptr, ptr)>
  %x = llvm.extractvalue %0[0] : !llvm.struct<(ptr, ptr)>
  %y = llvm.extractvalue %0[1] : !llvm.struct<(ptr, ptr)>
  %v = llvm.ptrtoint %y : !llvm.ptr to i64
  llvm.store %v, %x : i64, !llvm.ptr
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @half_freed(%n: i64) {
  // expected-warning @below [leak] {{%0}}
  %0 = llvm.call @new(%n) : (i64) -> !llvm.struct<(ptr, ptr)>
  %x = llvm.extractvalue %0[1] : !llvm.struct<(ptr, ptr)>
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @selected(%n: i64, %c: i1) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.call @both(%a, %b) : (!llvm.ptr, !llvm.ptr) -> !llvm.struct<(ptr, ptr)>
  %1 = llvm.call @both(%b, %a) : (!llvm.ptr, !llvm.ptr) -> !llvm.struct<(ptr, ptr)>
  %2 = llvm.select %c, %0, %1 : i1, !llvm.struct<(ptr, ptr)>
  %x = llvm.extractvalue %2[0] : !llvm.struct<(ptr, ptr)>
  %y = llvm.extractvalue %2[1] : !llvm.struct<(ptr, ptr)>
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  // expected-error @below [double-free] {{%a}}
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}

func.func @round_a_loop(%n: i64, %lower: index, %upper: index, %step: index) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.array<2 x ptr>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.array<2 x ptr>
  %2 = llvm.insertvalue %b, %1[1] : !llvm.array<2 x ptr>
  %3 = scf.for %i = %lower to %upper step %step iter_args(%s = %2) -> (!llvm.array<2 x ptr>) {
    %x = llvm.extractvalue %s[0] : !llvm.array<2 x ptr>
    llvm.call @free(%x) : (!llvm.ptr) -> ()
    %new = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
    %4 = llvm.insertvalue %new, %s[0] : !llvm.array<2 x ptr>
    scf.yield %4 : !llvm.array<2 x ptr>
  }
  %x = llvm.extractvalue %3[0] : !llvm.array<2 x ptr>
  %y = llvm.extractvalue %3[1] : !llvm.array<2 x ptr>
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  return
}

func.func @lost_in_a_loop(%n: i64, %lower: index, %upper: index, %step: index) {
  // expected-warning @below [possible-leak] {{%a}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.array<2 x ptr>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.array<2 x ptr>
  %2 = llvm.insertvalue %b, %1[1] : !llvm.array<2 x ptr>
  %3 = scf.for %i = %lower to %upper step %step iter_args(%s = %2) -> (!llvm.array<2 x ptr>) {
    // expected-warning @below [possible-leak] {{%new}}
    %new = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
    %4 = llvm.insertvalue %new, %s[0] : !llvm.array<2 x ptr>
    scf.yield %4 : !llvm.array<2 x ptr>
  }
  %x = llvm.extractvalue %3[0] : !llvm.array<2 x ptr>
  %y = llvm.extractvalue %3[1] : !llvm.array<2 x ptr>
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  return
}

// Two memrefs, lowered, behind a region.
func.func @descriptors(%n: i64, %c: i1) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(ptr, ptr, i64)>
  %2 = llvm.insertvalue %a, %1[1] : !llvm.struct<(ptr, ptr, i64)>
  %3 = llvm.insertvalue %b, %0[0] : !llvm.struct<(ptr, ptr, i64)>
  %4 = llvm.insertvalue %b, %3[1] : !llvm.struct<(ptr, ptr, i64)>
  %5 = llvm.mlir.poison : !llvm.struct<(struct<(ptr, ptr, i64)>, struct<(ptr, ptr, i64)>)>
  %6 = llvm.insertvalue %2, %5[0] : !llvm.struct<(struct<(ptr, ptr, i64)>, struct<(ptr, ptr, i64)>)>
  %7 = llvm.insertvalue %4, %6[1] : !llvm.struct<(struct<(ptr, ptr, i64)>, struct<(ptr, ptr, i64)>)>
  %8 = llvm.insertvalue %4, %5[0] : !llvm.struct<(struct<(ptr, ptr, i64)>, struct<(ptr, ptr, i64)>)>
  %9 = llvm.insertvalue %2, %8[1] : !llvm.struct<(struct<(ptr, ptr, i64)>, struct<(ptr, ptr, i64)>)>
  %10 = scf.if %c -> !llvm.struct<(struct<(ptr, ptr, i64)>, struct<(ptr, ptr, i64)>)> {
    scf.yield %7 : !llvm.struct<(struct<(ptr, ptr, i64)>, struct<(ptr, ptr, i64)>)>
  } else {
    scf.yield %9 : !llvm.struct<(struct<(ptr, ptr, i64)>, struct<(ptr, ptr, i64)>)>
  }
  %11 = llvm.extractvalue %10[0] : !llvm.struct<(struct<(ptr, ptr, i64)>, struct<(ptr, ptr, i64)>)>
  %x = llvm.extractvalue %11[0] : !llvm.struct<(ptr, ptr, i64)>
  %y = llvm.extractvalue %10[1, 0] : !llvm.struct<(struct<(ptr, ptr, i64)>, struct<(ptr, ptr, i64)>)>
  llvm.call @free(%x) : (!llvm.ptr) -> ()  // expected-warning [late-free] {{is held over 1 operation}}
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  return
}

// A whole aggregate in a variable.
llvm.func @variable(%n: i64, %c: i1) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %v = llvm.alloca %one x !llvm.struct<(ptr, ptr)> : (i64) -> !llvm.ptr
  %0 = llvm.call @new(%n) : (i64) -> !llvm.struct<(ptr, ptr)>
  llvm.store %0, %v : !llvm.struct<(ptr, ptr)>, !llvm.ptr
  llvm.cond_br %c, ^bb1, ^bb2
^bb1:
  %1 = llvm.load %v : !llvm.ptr -> !llvm.struct<(ptr, ptr)>
  %x = llvm.extractvalue %1[0] : !llvm.struct<(ptr, ptr)>
  %y = llvm.extractvalue %1[1] : !llvm.struct<(ptr, ptr)>
  %2 = llvm.call @both(%y, %x) : (!llvm.ptr, !llvm.ptr) -> !llvm.struct<(ptr, ptr)>
  llvm.store %2, %v : !llvm.struct<(ptr, ptr)>, !llvm.ptr
  llvm.br ^bb2
^bb2:
  %3 = llvm.load %v : !llvm.ptr -> !llvm.struct<(ptr, ptr)>
  llvm.call @free_both(%3) : (!llvm.struct<(ptr, ptr)>) -> ()
  llvm.return
}
