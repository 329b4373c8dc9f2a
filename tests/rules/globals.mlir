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
