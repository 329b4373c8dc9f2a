// Frees of what must not be freed here: arguments, globals, stack memory.

memref.global "private" @table : memref<4xf32> = dense<0.0>

func.func @argument(%x: memref<4xf32>) {
  // expected-warning @below [argument-free] {{%x}}
  memref.dealloc %x : memref<4xf32>
  return
}

func.func @global() {
  %g = memref.get_global @table : memref<4xf32>
  // expected-error @below [invalid-free] {{%g}}
  memref.dealloc %g : memref<4xf32>
  return
}

func.func @stack() {
  %a = memref.alloca() : memref<4xf32>
  // expected-error @below [invalid-free] {{%a}}
  memref.dealloc %a : memref<4xf32>
  return
}

// Half lowered: what a view's descriptor has in front is the start of the buffer.
llvm.func @free(!llvm.ptr)
func.func @of_a_view(%i: index) {
  %a = memref.alloc() : memref<16xf32>
  %s = memref.subview %a[%i] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
  %d = builtin.unrealized_conversion_cast %s : memref<4xf32, strided<[1], offset: ?>> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %p = llvm.extractvalue %d[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  return
}
