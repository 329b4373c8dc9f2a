// Named operations of earlier years read their inputs and write their outputs.

func.func @named(%a: memref<4x4xf32>, %z: f32) {
  %b = memref.alloc() : memref<4x4xf32>
  linalg.elemwise_binary ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  linalg.matmul_transpose_b ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  linalg.elemwise_unary ins(%b : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  memref.dealloc %b : memref<4x4xf32>
  return
}

func.func @accumulates(%a: memref<4x4xf32>) {
  %b = memref.alloc() : memref<4x4xf32>
  // expected-warning @below [uninitialized-read] {{%b}}
  linalg.matmul_transpose_a ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  memref.copy %b, %a : memref<4x4xf32> to memref<4x4xf32>
  memref.dealloc %b : memref<4x4xf32>
  return
}
