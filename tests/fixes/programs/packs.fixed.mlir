// Several results under one name: each is a buffer of its own, and its repair is.

func.func private @two(%n: index) -> (memref<?xf32>, memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  return %a, %b : memref<?xf32>, memref<?xf32>
}
func.func @first_lost(%n: index) -> memref<?xf32> {
  %r:2 = func.call @two(%n) : (index) -> (memref<?xf32>, memref<?xf32>)
  memref.dealloc %r#0 : memref<?xf32>
  return %r#1 : memref<?xf32>
}
func.func @both_lost(%n: index, %f: f32) {
  %r:2 = func.call @two(%n) : (index) -> (memref<?xf32>, memref<?xf32>)
  linalg.fill ins(%f : f32) outs(%r#0 : memref<?xf32>)
  memref.dealloc %r#0 : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%r#1 : memref<?xf32>)
  memref.dealloc %r#1 : memref<?xf32>
  return
}
