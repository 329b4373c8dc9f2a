// Aggregates of which it is not told what is where, as the text lacks the alias `!pair`: each function frees all it
// makes, and nothing certain is said but where it is in sight.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @declared(i64) -> !llvm.struct<(ptr, ptr)>

llvm.func @named(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !pair
  %1 = llvm.insertvalue %a, %0[0] : !pair
  %2 = llvm.insertvalue %b, %1[1] : !pair
  llvm.br ^bb1(%2 : !pair)
^bb1(%d: !pair):
  %x = llvm.extractvalue %d[0] : !pair
  %y = llvm.extractvalue %d[1] : !pair
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @named_at_the_end(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr)>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(ptr, ptr)>
  %2 = llvm.insertvalue %b, %1[1] : !llvm.struct<(ptr, ptr)>
  llvm.br ^bb1(%2 : !pair)
^bb1(%d: !pair):
  %x = llvm.extractvalue %d[0] : !pair
  %y = llvm.extractvalue %d[1] : !pair
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @named_at_first(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !pair
  %1 = llvm.insertvalue %a, %0[0] : !pair
  %2 = llvm.insertvalue %b, %1[1] : !pair
  llvm.br ^bb1(%2 : !llvm.struct<(ptr, ptr)>)
^bb1(%d: !llvm.struct<(ptr, ptr)>):
  %x = llvm.extractvalue %d[0] : !llvm.struct<(ptr, ptr)>
  %y = llvm.extractvalue %d[1] : !llvm.struct<(ptr, ptr)>
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @named_between(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !pair
  %1 = llvm.insertvalue %a, %0[0] : !pair
  %2 = llvm.insertvalue %b, %1[1] : !llvm.struct<(ptr, ptr)>
  llvm.br ^bb1(%2 : !llvm.struct<(ptr, ptr)>)
^bb1(%d: !llvm.struct<(ptr, ptr)>):
  %x = llvm.extractvalue %d[0] : !llvm.struct<(ptr, ptr)>
  %y = llvm.extractvalue %d[1] : !llvm.struct<(ptr, ptr)>
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @in_sight(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  // expected-warning @below [leak] {{%b}}
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !pair
  %1 = llvm.insertvalue %a, %0[0] : !pair
  %2 = llvm.insertvalue %b, %1[1] : !pair
  %x = llvm.extractvalue %2[0] : !pair
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func private @free_both(%d: !pair) {
  %x = llvm.extractvalue %d[0] : !pair
  %y = llvm.extractvalue %d[1] : !pair
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @passed_named(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr)>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(ptr, ptr)>
  %2 = llvm.insertvalue %b, %1[1] : !llvm.struct<(ptr, ptr)>
  llvm.call @free_both(%2) : (!pair) -> ()
  llvm.return
}

llvm.func @many(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.array<17 x ptr>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.array<17 x ptr>
  %2 = llvm.insertvalue %b, %1[1] : !llvm.array<17 x ptr>
  llvm.br ^bb1(%2 : !llvm.array<17 x ptr>)
^bb1(%d: !llvm.array<17 x ptr>):
  %x = llvm.extractvalue %d[0] : !llvm.array<17 x ptr>
  %y = llvm.extractvalue %d[1] : !llvm.array<17 x ptr>
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.return
}

// This is no memref without dimensions.
llvm.func @two_and_size(%n: i64) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(ptr, ptr, i64)>
  %2 = llvm.insertvalue %b, %1[1] : !llvm.struct<(ptr, ptr, i64)>
  llvm.br ^bb1(%2 : !llvm.struct<(ptr, ptr, i64)>)
^bb1(%d: !llvm.struct<(ptr, ptr, i64)>):
  %x = llvm.extractvalue %d[0] : !llvm.struct<(ptr, ptr, i64)>
  %y = llvm.extractvalue %d[1] : !llvm.struct<(ptr, ptr, i64)>
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @two_and_size_in_a_variable(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %v = llvm.alloca %one x !llvm.struct<(ptr, ptr, i64)> : (i64) -> !llvm.ptr
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(ptr, ptr, i64)>
  %2 = llvm.insertvalue %b, %1[1] : !llvm.struct<(ptr, ptr, i64)>
  llvm.store %2, %v : !llvm.struct<(ptr, ptr, i64)>, !llvm.ptr
  %3 = llvm.load %v : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64)>
  %x = llvm.extractvalue %3[0] : !llvm.struct<(ptr, ptr, i64)>
  %y = llvm.extractvalue %3[1] : !llvm.struct<(ptr, ptr, i64)>
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.return
}

// Whether the second is a buffer of its own, or where the first one ends, is not known.
llvm.func @one_of_declared(%n: i64) {
  %0 = llvm.call @declared(%n) : (i64) -> !llvm.struct<(ptr, ptr)>
  %x = llvm.extractvalue %0[0] : !llvm.struct<(ptr, ptr)>
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @one_of_declared_behind_a_branch(%n: i64) {
  %0 = llvm.call @declared(%n) : (i64) -> !llvm.struct<(ptr, ptr)>
  llvm.br ^bb1(%0 : !llvm.struct<(ptr, ptr)>)
^bb1(%d: !llvm.struct<(ptr, ptr)>):
  %x = llvm.extractvalue %d[0] : !llvm.struct<(ptr, ptr)>
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @declared_twice(%n: i64) {
  %0 = llvm.call @declared(%n) : (i64) -> !llvm.struct<(ptr, ptr)>
  %x = llvm.extractvalue %0[0] : !llvm.struct<(ptr, ptr)>
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  // expected-error @below [double-free] {{%x}}
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @declared_and_kept(%n: i64) {
  // expected-warning @below [possible-leak] {{%0 is never freed, if it is the caller's}}
  %0 = llvm.call @declared(%n) : (i64) -> !llvm.struct<(ptr, ptr)>
  %x = llvm.extractvalue %0[0] : !llvm.struct<(ptr, ptr)>
  llvm.store %n, %x : i64, !llvm.ptr
  llvm.return
}

llvm.func @vector(%n: i64) {
  %i0 = llvm.mlir.constant(0 : i32) : i32
  %i1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %0 = llvm.mlir.poison : vector<2x!llvm.ptr>
  %1 = llvm.insertelement %a, %0[%i0 : i32] : vector<2x!llvm.ptr>
  %2 = llvm.insertelement %b, %1[%i1 : i32] : vector<2x!llvm.ptr>
  %x = llvm.extractelement %2[%i0 : i32] : vector<2x!llvm.ptr>
  %y = llvm.extractelement %2[%i1 : i32] : vector<2x!llvm.ptr>
  llvm.call @free(%x) : (!llvm.ptr) -> ()
  llvm.call @free(%y) : (!llvm.ptr) -> ()
  llvm.return
}
