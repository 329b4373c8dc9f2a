// Calls that are no func.call.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

llvm.func @lowered(%x: f32) -> f32 {
  %size = llvm.mlir.constant(64 : i64) : i64
  %p = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  // expected-warning @below [leak] {{%q}}
  %q = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  // expected-error @below [use-after-free] {{%p}}
  %v = llvm.load %p : !llvm.ptr -> f32
  llvm.return %v : f32
}

module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @fill(%m: memref<4xf32>, %x: f32) kernel {
    %c0 = arith.constant 0 : index
    memref.store %x, %m[%c0] : memref<4xf32>
    gpu.return
  }
}

func.func @launched(%x: f32) {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  // expected-error @below [use-after-free] {{%m}}
  gpu.launch_func @kernels::@fill blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<4xf32>, %x : f32)
  return
}

async.func @later(%m: memref<4xf32>, %x: f32) -> !async.token {
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  return
}

func.func @asynchronous(%x: f32) {
  %m = memref.alloc() : memref<4xf32>
  %t = async.call @later(%m, %x) : (memref<4xf32>, f32) -> !async.token
  // expected-error @below [free-before-wait] {{%m}}
  memref.dealloc %m : memref<4xf32>
  async.await %t : !async.token
  return
}
}
