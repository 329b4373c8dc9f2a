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
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.store %x, %b : f32, !llvm.ptr
  llvm.call @free(%b) : (!llvm.ptr) -> ()
  %y = llvm.fadd %x, %x : f32
  llvm.return
}
