// What `memref.get_global` is lowered to: its descriptor has 0xdeadbeef in the place of the pointer that is freed.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.mlir.global private @table() {addr_space = 0 : i32} : !llvm.array<4 x f32>

llvm.func @by_its_address() {
  %g = llvm.mlir.addressof @table : !llvm.ptr
  %first = llvm.getelementptr %g[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x f32>
  // expected-error @below [invalid-free] {{%first is global memory and must not be freed}}
  llvm.call @free(%first) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @by_the_mark() {
  %mark = llvm.mlir.constant(3735928559 : index) : i64
  %p = llvm.inttoptr %mark : i64 to !llvm.ptr
  // expected-error @below [invalid-free] {{%p is global memory and must not be freed}}
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @by_its_descriptor() {
  %g = llvm.mlir.addressof @table : !llvm.ptr
  %mark = llvm.mlir.constant(3735928559 : index) : i64
  %p = llvm.inttoptr %mark : i64 to !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %1 = llvm.insertvalue %p, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %2 = llvm.insertvalue %g, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %q = llvm.extractvalue %2[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  // expected-error @below [invalid-free] {{%q is global memory}}
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.return
}

// A function hands it out: it is not its caller's.
llvm.func internal @get() -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> {
  %g = llvm.mlir.addressof @table : !llvm.ptr
  %mark = llvm.mlir.constant(3735928559 : index) : i64
  %p = llvm.inttoptr %mark : i64 to !llvm.ptr
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %1 = llvm.insertvalue %p, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %2 = llvm.insertvalue %g, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  llvm.return %2 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
}
llvm.func @reads() -> f32 {
  %m = llvm.call @get() : () -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %q = llvm.extractvalue %m[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %v = llvm.load %q : !llvm.ptr -> f32
  llvm.return %v : f32
}
llvm.func @frees() {
  %m = llvm.call @get() : () -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %q = llvm.extractvalue %m[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  // expected-error @below [invalid-free] {{%q is global memory}}
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.return
}

// One of two.
llvm.func @either(%c: i1, %n: i64) {
  %mark = llvm.mlir.constant(3735928559 : index) : i64
  %p = llvm.inttoptr %mark : i64 to !llvm.ptr
  // expected-warning @below [possible-leak] {{%a}}
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %q = llvm.select %c, %p, %a : i1, !llvm.ptr
  // expected-warning @below [invalid-free] {{%q is global memory on some path}}
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @where_it_is_new(%c: i1, %n: i64) {
  %mark = llvm.mlir.constant(3735928559 : index) : i64
  %p = llvm.inttoptr %mark : i64 to !llvm.ptr
  llvm.cond_br %c, ^old, ^new
^old:
  llvm.br ^both(%p : !llvm.ptr)
^new:
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.br ^both(%a : !llvm.ptr)
^both(%q: !llvm.ptr):
  llvm.cond_br %c, ^end, ^free
^free:
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.return
}

// Other numbers may be the addresses of what was allocated elsewhere; to free nothing is nothing.
llvm.func @other_numbers() {
  %elsewhere = llvm.mlir.constant(4096 : i64) : i64
  %none = llvm.mlir.constant(0 : i64) : i64
  %p = llvm.inttoptr %elsewhere : i64 to !llvm.ptr
  %q = llvm.inttoptr %none : i64 to !llvm.ptr
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.return
}
