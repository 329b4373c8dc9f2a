// What took a pointer out of its descriptor for a deallocation alone goes with it.

llvm.func @free(!llvm.ptr)
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @f(%n: i64, %x: f32) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %none = llvm.mlir.poison : !llvm.struct<(ptr, i64)>
  %both = llvm.insertvalue %a, %none[0] : !llvm.struct<(ptr, i64)>
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %other = llvm.insertvalue %b, %none[0] : !llvm.struct<(ptr, i64)>
  llvm.store %x, %a : f32, !llvm.ptr
  llvm.store %x, %b : f32, !llvm.ptr
  %y = llvm.fadd %x, %x : f32
  %0 = llvm.extractvalue %both[0] : !llvm.struct<(ptr, i64)>
  llvm.call @free(%0) : (!llvm.ptr) -> ()
  %1 = llvm.extractvalue %other[0] : !llvm.struct<(ptr, i64)>
  llvm.call @free(%1) : (!llvm.ptr) -> ()
  llvm.return
}
