// All handles of one global are one buffer.

memref.global "private" @table : memref<4xf32> = uninitialized
memref.global "private" @other : memref<4xf32> = uninitialized

func.func @two_handles() -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.get_global @table : memref<4xf32>
  %b = memref.get_global @table : memref<4xf32>
  // expected-warning @below [aliased-results] {{%b}}
  return %a, %b : memref<4xf32>, memref<4xf32>
}

func.func @two_globals() -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.get_global @table : memref<4xf32>
  %b = memref.get_global @other : memref<4xf32>
  return %a, %b : memref<4xf32>, memref<4xf32>
}

// What a function hands out that is global memory is nobody's, whoever frees it.
func.func private @get() -> memref<4xf32> {
  %a = memref.get_global @table : memref<4xf32>
  return %a : memref<4xf32>
}
func.func private @get_through() -> memref<4xf32> {
  %a = call @get() : () -> memref<4xf32>
  return %a : memref<4xf32>
}
func.func @read() {
  %c0 = arith.constant 0 : index
  %a = call @get() : () -> memref<4xf32>
  %v = memref.load %a[%c0] : memref<4xf32>
  return
}
func.func @freed() {
  %a = call @get_through() : () -> memref<4xf32>
  // expected-error @below [invalid-free] {{%a is global memory}}
  memref.dealloc %a : memref<4xf32>
  return
}

func.func private @release(%a: memref<4xf32>) {
  // expected-remark @below [argument-free] {{%a}}
  memref.dealloc %a : memref<4xf32>
  return
}
func.func @freed_elsewhere() {
  %a = call @get() : () -> memref<4xf32>
  // expected-error @below [invalid-free] {{%a is global memory}}
  call @release(%a) : (memref<4xf32>) -> ()
  return
}

func.func private @either(%c: i1) -> memref<4xf32> {
  %a = scf.if %c -> memref<4xf32> {
    %b = memref.get_global @table : memref<4xf32>
    scf.yield %b : memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  return %a : memref<4xf32>
}
func.func @freed_where_it_is_new(%c: i1) {
  %a = call @either(%c) : (i1) -> memref<4xf32>
  scf.if %c {
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}
func.func @freed_anyway(%c: i1) {
  %a = call @either(%c) : (i1) -> memref<4xf32>
  // expected-warning @below [invalid-free] {{%a is global memory on some path}}
  memref.dealloc %a : memref<4xf32>
  return
}
