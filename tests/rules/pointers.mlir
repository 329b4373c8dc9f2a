// Lowered code: bare pointers, and functions that only share a name with the allocator's.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

llvm.func @inside(%i: i64) {
  %size = llvm.mlir.constant(64 : i64) : i64
  %p = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  // expected-warning @below [invalid-free] {{%q may point into its buffer}}
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.return
}

// -----

// Our own, whatever its name: it hands its argument back.
func.func private @realloc(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}

func.func @own_realloc(%x: f32) {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  %n = func.call @realloc(%m) : (memref<4xf32>) -> memref<4xf32>
  memref.dealloc %n : memref<4xf32>
  return
}
