// Numbers that are made of the address of a buffer and become an address again: the buffer is in use until that is done.

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

llvm.func @second(%out: !llvm.ptr) {
  %size = llvm.mlir.constant(64 : i64) : i64
  %eight = llvm.mlir.constant(8 : i64) : i64
  %a = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  %0 = llvm.ptrtoint %a : !llvm.ptr to i64
  %1 = llvm.add %0, %eight : i64
  %p = llvm.inttoptr %1 : i64 to !llvm.ptr
  llvm.store %size, %p : i64, !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> i64
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  llvm.store %v, %out : i64, !llvm.ptr
  llvm.return
}

llvm.func @aligned(%out: !llvm.ptr) {
  %size = llvm.mlir.constant(128 : i64) : i64
  %most = llvm.mlir.constant(63 : i64) : i64
  %mask = llvm.mlir.constant(-64 : i64) : i64
  %a = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  %0 = llvm.ptrtoint %a : !llvm.ptr to i64
  %1 = llvm.add %0, %most : i64
  %2 = llvm.and %1, %mask : i64
  %p = llvm.inttoptr %2 : i64 to !llvm.ptr
  llvm.store %size, %p : i64, !llvm.ptr
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  // expected-error @below [use-after-free] {{%p}}
  %v = llvm.load %p : !llvm.ptr -> i64
  llvm.store %v, %out : i64, !llvm.ptr
  llvm.return
}

// As memrefs are lowered: to the next multiple.
llvm.func @aligned_by_remainder(%out: !llvm.ptr, %size: i64) {
  %one = llvm.mlir.constant(1 : index) : i64
  %alignment = llvm.mlir.constant(64 : index) : i64
  %bytes = llvm.add %size, %alignment : i64
  %a = llvm.call @malloc(%bytes) : (i64) -> !llvm.ptr
  %0 = llvm.ptrtoint %a : !llvm.ptr to i64
  %most = llvm.sub %alignment, %one : i64
  %1 = llvm.add %0, %most : i64
  %2 = llvm.urem %1, %alignment : i64
  %3 = llvm.sub %1, %2 : i64
  %p = llvm.inttoptr %3 : i64 to !llvm.ptr
  llvm.store %size, %p : i64, !llvm.ptr
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  // expected-error @below [use-after-free] {{%p}}
  %v = llvm.load %p : !llvm.ptr -> i64
  llvm.store %v, %out : i64, !llvm.ptr
  llvm.return
}

// What is added may be another address: a difference of two, say.
llvm.func @moved_elsewhere(%out: !llvm.ptr, %size: i64, %far: i64) {
  %a = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  llvm.store %size, %a : i64, !llvm.ptr
  %0 = llvm.ptrtoint %a : !llvm.ptr to i64
  %1 = llvm.add %0, %far : i64
  %p = llvm.inttoptr %1 : i64 to !llvm.ptr
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  // expected-warning @below [possible-use-after-free] {{%p}}
  %v = llvm.load %p : !llvm.ptr -> i64
  llvm.store %v, %out : i64, !llvm.ptr
  llvm.return
}

// Relative to another address, in elements.
llvm.func @relative(%b: !llvm.ptr, %out: !llvm.ptr, %size: i64) {
  %eight = llvm.mlir.constant(8 : i64) : i64
  %a = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  llvm.store %size, %a : i64, !llvm.ptr
  %0 = llvm.ptrtoint %a : !llvm.ptr to i64
  %1 = llvm.ptrtoint %b : !llvm.ptr to i64
  %2 = llvm.sub %1, %0 : i64
  %3 = llvm.sdiv %2, %eight : i64
  %4 = llvm.mul %3, %eight : i64
  %5 = llvm.add %0, %4 : i64
  %p = llvm.inttoptr %5 : i64 to !llvm.ptr
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  // expected-warning @below [possible-use-after-free] {{%p}}
  %v = llvm.load %p : !llvm.ptr -> i64
  llvm.store %v, %out : i64, !llvm.ptr
  llvm.return
}

// The head of its page stands before it, and is not freed with it.
llvm.func @head_of_page(%out: !llvm.ptr, %size: i64) {
  %mask = llvm.mlir.constant(-4096 : i64) : i64
  %a = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  llvm.store %size, %a : i64, !llvm.ptr
  %0 = llvm.ptrtoint %a : !llvm.ptr to i64
  %1 = llvm.and %0, %mask : i64
  %p = llvm.inttoptr %1 : i64 to !llvm.ptr
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  // expected-warning @below [possible-use-after-free] {{%p}}
  %v = llvm.load %p : !llvm.ptr -> i64
  llvm.store %v, %out : i64, !llvm.ptr
  llvm.return
}

// What a tool keeps of each address, far away.
llvm.func @shadow(%out: !llvm.ptr, %size: i64) {
  %far = llvm.mlir.constant(17592186044416 : i64) : i64
  %a = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  llvm.store %size, %a : i64, !llvm.ptr
  %0 = llvm.ptrtoint %a : !llvm.ptr to i64
  %1 = llvm.add %0, %far : i64
  %p = llvm.inttoptr %1 : i64 to !llvm.ptr
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  // expected-warning @below [possible-use-after-free] {{%p}}
  %v = llvm.load %p : !llvm.ptr -> i64
  llvm.store %v, %out : i64, !llvm.ptr
  llvm.return
}

// The remainder is added rather than taken off.
llvm.func @padded(%out: !llvm.ptr, %size: i64) {
  %alignment = llvm.mlir.constant(64 : i64) : i64
  %mask = llvm.mlir.constant(63 : i64) : i64
  %a = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  %0 = llvm.ptrtoint %a : !llvm.ptr to i64
  %1 = llvm.and %0, %mask : i64
  %2 = llvm.sub %alignment, %1 : i64
  %3 = llvm.and %2, %mask : i64
  %4 = llvm.add %0, %3 : i64
  %p = llvm.inttoptr %4 : i64 to !llvm.ptr
  llvm.store %size, %p : i64, !llvm.ptr
  llvm.call @free(%a) : (!llvm.ptr) -> ()
  // expected-error @below [use-after-free] {{%p}}
  %v = llvm.load %p : !llvm.ptr -> i64
  llvm.store %v, %out : i64, !llvm.ptr
  llvm.return
}

func.func @indices(%out: memref<4xi64>, %value: i64) {
  %zero = arith.constant 0 : index
  %eight = arith.constant 8 : index
  %a = memref.alloc() : memref<16xi64>
  linalg.fill ins(%value : i64) outs(%a : memref<16xi64>)
  %0 = memref.extract_aligned_pointer_as_index %a : memref<16xi64> -> index
  %1 = arith.addi %0, %eight : index
  %2 = index.sub %1, %eight
  %3 = index.castu %2 : index to i64
  %p = llvm.inttoptr %3 : i64 to !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> i64
  memref.dealloc %a : memref<16xi64>
  memref.store %v, %out[%zero] : memref<4xi64>
  return
}

// Of tensors the sum is a new one.
func.func @tensors(%value: i32) -> tensor<4xi32> {
  %a = memref.alloc() : memref<4xi32>
  linalg.fill ins(%value : i32) outs(%a : memref<4xi32>)
  %t = bufferization.to_tensor %a : memref<4xi32> to tensor<4xi32>
  %s = arith.addi %t, %t : tensor<4xi32>
  memref.dealloc %a : memref<4xi32>
  return %s : tensor<4xi32>
}
