// A prefetch is a hint: it reads nothing that would have to be there, but what it names is used.

func.func @before_the_first_store(%f: f32, %p: !llvm.ptr) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  memref.prefetch %a[%c0], write, locality<3>, data : memref<16xf32>
  affine.prefetch %a[%c0], write, locality<3>, data : memref<16xf32>
  memref.store %f, %a[%c0] : memref<16xf32>
  %v = memref.load %a[%c0] : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  return %v : f32
}

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

llvm.func @lowered(%n: i64, %f: f32) {
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  "llvm.intr.prefetch"(%a) <{cache = 1 : i32, hint = 3 : i32, rw = 1 : i32}> : (!llvm.ptr) -> ()
  llvm.store %f, %a : f32, !llvm.ptr
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.return
}

func.func @behind_the_free() {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  // expected-error @below [use-after-free] {{%a}}
  memref.prefetch %a[%c0], read, locality<3>, data : memref<16xf32>
  return
}
