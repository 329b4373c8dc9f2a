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
