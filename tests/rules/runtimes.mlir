// Functions of the runtimes that programs are lowered to: memory of a device and storage of sparse tensors has to go back,
// handles of streams, modules, events and names of files are no buffers.

llvm.func @mgpuStreamCreate() -> !llvm.ptr
llvm.func @mgpuStreamDestroy(!llvm.ptr)
llvm.func @mgpuStreamSynchronize(!llvm.ptr)
llvm.func @mgpuEventCreate() -> !llvm.ptr
llvm.func @mgpuModuleLoad(!llvm.ptr, i64) -> !llvm.ptr
llvm.func @mgpuModuleGetFunction(!llvm.ptr, !llvm.ptr) -> !llvm.ptr
llvm.func @mgpuMemAlloc(i64, !llvm.ptr, i8) -> !llvm.ptr
llvm.func @mgpuMemFree(!llvm.ptr, !llvm.ptr)
llvm.func @mgpuMemcpy(!llvm.ptr, !llvm.ptr, i64, !llvm.ptr)
llvm.func @free(!llvm.ptr)

llvm.func @given_back(%n: i64, %image: !llvm.ptr, %name: !llvm.ptr, %to: !llvm.ptr) {
  %f = llvm.mlir.constant(0 : i8) : i8
  %s = llvm.call @mgpuStreamCreate() : () -> !llvm.ptr
  %e = llvm.call @mgpuEventCreate() : () -> !llvm.ptr
  %m = llvm.call @mgpuModuleLoad(%image, %n) : (!llvm.ptr, i64) -> !llvm.ptr
  %k = llvm.call @mgpuModuleGetFunction(%m, %name) : (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
  %p = llvm.call @mgpuMemAlloc(%n, %s, %f) : (i64, !llvm.ptr, i8) -> !llvm.ptr
  llvm.call @mgpuMemcpy(%p, %to, %n, %s) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> ()
  llvm.call @mgpuMemFree(%p, %s) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.call @mgpuStreamSynchronize(%s) : (!llvm.ptr) -> ()
  llvm.call @mgpuStreamDestroy(%s) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @kept(%n: i64, %s: !llvm.ptr, %f: i8) {
  // expected-warning @below [leak] {{buffer %p of %n bytes is never freed}}
  %p = llvm.call @mgpuMemAlloc(%n, %s, %f) : (i64, !llvm.ptr, i8) -> !llvm.ptr
  llvm.return
}

llvm.func @elsewhere(%n: i64, %s: !llvm.ptr, %f: i8) {
  %p = llvm.call @mgpuMemAlloc(%n, %s, %f) : (i64, !llvm.ptr, i8) -> !llvm.ptr
  // expected-error @below [mismatched-free] {{%p is memory of resource 'mgpu', which this operation does not free}}
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @read_after(%n: i64, %s: !llvm.ptr, %f: i8, %to: !llvm.ptr) {
  %p = llvm.call @mgpuMemAlloc(%n, %s, %f) : (i64, !llvm.ptr, i8) -> !llvm.ptr
  llvm.call @mgpuMemFree(%p, %s) : (!llvm.ptr, !llvm.ptr) -> ()
  // expected-error @below [use-after-free] {{%p is used after its buffer was freed}}
  llvm.call @mgpuMemcpy(%to, %p, %n, %s) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> ()
  llvm.return
}

// Pointers into tensors of ONNX-MLIR's runtime.

llvm.func @omTensorListGetOmtArray(!llvm.ptr) -> !llvm.ptr
llvm.func @omTensorGetDataPtr(!llvm.ptr) -> !llvm.ptr
llvm.func @omTensorGetShape(!llvm.ptr) -> !llvm.ptr

llvm.func @unpacked(%list: !llvm.ptr) -> i64 {
  %array = llvm.call @omTensorListGetOmtArray(%list) : (!llvm.ptr) -> !llvm.ptr
  %tensor = llvm.load %array : !llvm.ptr -> !llvm.ptr
  %data = llvm.call @omTensorGetDataPtr(%tensor) : (!llvm.ptr) -> !llvm.ptr
  %shape = llvm.call @omTensorGetShape(%tensor) : (!llvm.ptr) -> !llvm.ptr
  %size = llvm.load %shape : !llvm.ptr -> i64
  llvm.return %size : i64
}

// Numbers as the LLVM dialect had them: types of its own.

llvm.func @strcmp(!llvm.ptr<i8>, !llvm.ptr<i8>) -> !llvm.i32
llvm.func @sqrt(!llvm.double) -> !llvm.double
llvm.func @old(!llvm<"i8*">) -> !llvm<"i64">

llvm.func @numbers(%a: !llvm.ptr<i8>, %b: !llvm.ptr<i8>, %x: !llvm.double, %o: !llvm<"i8*">) -> !llvm.i32 {
  %0 = llvm.call @strcmp(%a, %b) : (!llvm.ptr<i8>, !llvm.ptr<i8>) -> !llvm.i32
  %1 = llvm.call @sqrt(%x) : (!llvm.double) -> !llvm.double
  %2 = llvm.call @old(%o) : (!llvm<"i8*">) -> !llvm<"i64">
  llvm.return %0 : !llvm.i32
}

// Sparse tensors.

func.func private @getTensorFilename(index) -> !llvm.ptr
func.func private @createCheckedSparseTensorReader(!llvm.ptr, memref<?xindex>, i32) -> !llvm.ptr
func.func private @newSparseTensor(memref<?xindex>, i32, !llvm.ptr) -> !llvm.ptr
func.func private @delSparseTensorReader(!llvm.ptr)
func.func private @delSparseTensor(!llvm.ptr)

func.func @read(%i: index, %sizes: memref<?xindex>, %kind: i32) {
  %name = call @getTensorFilename(%i) : (index) -> !llvm.ptr
  %r = call @createCheckedSparseTensorReader(%name, %sizes, %kind) : (!llvm.ptr, memref<?xindex>, i32) -> !llvm.ptr
  %t = call @newSparseTensor(%sizes, %kind, %r) : (memref<?xindex>, i32, !llvm.ptr) -> !llvm.ptr
  call @delSparseTensorReader(%r) : (!llvm.ptr) -> ()
  call @delSparseTensor(%t) : (!llvm.ptr) -> ()
  return
}

func.func @lost(%sizes: memref<?xindex>, %kind: i32, %r: !llvm.ptr) {
  // expected-warning @below [leak] {{buffer %t is never freed}}
  %t = call @newSparseTensor(%sizes, %kind, %r) : (memref<?xindex>, i32, !llvm.ptr) -> !llvm.ptr
  return
}
