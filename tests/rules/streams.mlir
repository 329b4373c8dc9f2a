// Work on a stream of a GPU is done in the order in which it is begun, also where tokens say less.

func.func @of_one_token(%h: memref<16xf32>) {
  %s = gpu.wait async
  %d, %t0 = gpu.alloc async [%s] () : memref<16xf32>
  %x = gpu.memcpy async [%s] %d, %h : memref<16xf32>, memref<16xf32>
  %z = gpu.dealloc async [%s] %d : memref<16xf32>
  gpu.wait [%s]
  return
}

func.func @waited_for_by_its_stream(%h: memref<16xf32>) {
  %s = gpu.wait async
  %d, %t0 = gpu.alloc async [%s] () : memref<16xf32>
  %x = gpu.memcpy async [%t0] %d, %h : memref<16xf32>, memref<16xf32>
  gpu.wait [%s]
  gpu.dealloc %d : memref<16xf32>
  return
}

func.func @waited_for_before(%h: memref<16xf32>) {
  %s = gpu.wait async
  %d, %t0 = gpu.alloc async [%s] () : memref<16xf32>
  gpu.wait [%s]
  %x = gpu.memcpy async [%s] %d, %h : memref<16xf32>, memref<16xf32>
  // expected-error @below [free-before-wait] {{%d}}
  gpu.dealloc %d : memref<16xf32>
  gpu.wait [%x]
  return
}

func.func @other_stream(%h: memref<16xf32>) {
  %s = gpu.wait async
  %o = gpu.wait async
  %d, %t0 = gpu.alloc async [%s] () : memref<16xf32>
  %x = gpu.memcpy async [%t0] %d, %h : memref<16xf32>, memref<16xf32>
  // expected-error @below [free-before-wait] {{%d}}
  %z = gpu.dealloc async [%o] %d : memref<16xf32>
  gpu.wait [%x]
  gpu.wait [%z]
  return
}

llvm.func @mgpuMemcpy(!llvm.ptr, !llvm.ptr, i64, !llvm.ptr)
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

llvm.func @default_stream(%dev: !llvm.ptr, %v: i32, %n: i64, %s: !llvm.ptr) {
  %null = llvm.mlir.zero : !llvm.ptr
  %host = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %v, %host : i32, !llvm.ptr
  llvm.call @mgpuMemcpy(%dev, %host, %n, %null) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> ()
  llvm.call @free(%host) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @on_stream(%dev: !llvm.ptr, %v: i32, %n: i64, %s: !llvm.ptr) {
  %host = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %v, %host : i32, !llvm.ptr
  llvm.call @mgpuMemcpy(%dev, %host, %n, %s) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> ()
  // expected-error @below [free-before-wait] {{%host}}
  llvm.call @free(%host) : (!llvm.ptr) -> ()
  llvm.return
}

// Another stream: what is begun there is not behind what the first one does.
func.func @forked(%h: memref<16xf32>) {
  %s = gpu.wait async
  %d, %t0 = gpu.alloc async [%s] () : memref<16xf32>
  %f = gpu.wait async [%t0]
  %x = gpu.memcpy async [%f] %d, %h : memref<16xf32>, memref<16xf32>
  // expected-error @below [free-before-wait] {{%d}}
  %z = gpu.dealloc async [%t0] %d : memref<16xf32>
  gpu.wait [%x, %z]
  return
}

func.func @waited_for_by_any_token(%h: memref<16xf32>, %g: memref<1600xf32>, %z: f32) {
  %s = gpu.wait async
  %d, %t0 = gpu.alloc async [%s] () : memref<16xf32>
  %x = gpu.memcpy async [%t0] %d, %h : memref<16xf32>, memref<16xf32>
  linalg.fill ins(%z : f32) outs(%g : memref<1600xf32>)
  linalg.fill ins(%z : f32) outs(%g : memref<1600xf32>)
  gpu.wait [%t0]
  gpu.dealloc %d : memref<16xf32>
  return
}
