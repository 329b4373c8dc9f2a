// Operations whose text names their operands in another order than the generic form.

llvm.func @omp_read(%x: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %v = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  omp.atomic.read %v = %x : !llvm.ptr, !llvm.ptr, i32
  %r = llvm.load %v : !llvm.ptr -> i32
  llvm.return %r : i32
}

llvm.func @omp_read_generic(%x: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %v = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  "omp.atomic.read"(%x, %v) <{element_type = i32}> : (!llvm.ptr, !llvm.ptr) -> ()
  %r = llvm.load %v : !llvm.ptr -> i32
  llvm.return %r : i32
}

// What stands before the equals sign is an operand.
func.func @acc_read(%x: memref<i32>, %c: i1) -> i32 {
  %v = memref.alloc() : memref<i32>
  acc.atomic.read if(%c) %v = %x : memref<i32>, memref<i32>, i32
  %r = memref.load %v[] : memref<i32>
  memref.dealloc %v : memref<i32>
  // expected-error @below [use-after-free] {{%v is used}}
  acc.atomic.read %v = %x : memref<i32>, memref<i32>, i32
  return %r : i32
}

func.func @to_shared_memory(%global: memref<128x128xf16>, %i: index, %out: memref<4x16xf16>) {
  %s = memref.alloc() : memref<4x16xf16, 3>
  %t = nvgpu.device_async_copy %global[%i, %i], %s[%i, %i], 8 : memref<128x128xf16> to memref<4x16xf16, 3>
  %group = nvgpu.device_async_create_group %t
  nvgpu.device_async_wait %group
  memref.copy %s, %out : memref<4x16xf16, 3> to memref<4x16xf16>
  memref.dealloc %s : memref<4x16xf16, 3>
  return
}

!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = memref<128xf32, 3>, swizzle = none, l2promo = none, oob = nan, interleave = none>

func.func @by_descriptor(%map: !map, %bar: !barriers, %i: index, %out: memref<128xf32>, %ticks: index, %phase: i1) {
  %d = memref.alloc() : memref<128xf32, 3>
  nvgpu.tma.async.load %map[%i], %bar[%i] to %d : !map, !barriers -> memref<128xf32, 3>
  nvgpu.mbarrier.try_wait.parity %bar[%i], %phase, %ticks : !barriers
  memref.copy %d, %out : memref<128xf32, 3> to memref<128xf32>
  memref.dealloc %d : memref<128xf32, 3>
  return
}

func.func @too_early(%map: !map, %bar: !barriers, %i: index, %ticks: index, %phase: i1) {
  %d = memref.alloc() : memref<128xf32, 3>
  nvgpu.tma.async.load %map[%i], %bar[%i] to %d : !map, !barriers -> memref<128xf32, 3>
  // expected-error @below [free-before-wait] {{%d}}
  memref.dealloc %d : memref<128xf32, 3>
  nvgpu.mbarrier.try_wait.parity %bar[%i], %phase, %ticks : !barriers
  return
}

llvm.func @copied_arguments(%list: !llvm.ptr) -> !llvm.ptr {
  %one = llvm.mlir.constant(1 : i32) : i32
  %copy = llvm.alloca %one x !llvm.array<24 x i8> : (i32) -> !llvm.ptr
  llvm.intr.vacopy %list to %copy : !llvm.ptr, !llvm.ptr
  %p = llvm.load %copy : !llvm.ptr -> !llvm.ptr
  llvm.return %p : !llvm.ptr
}
