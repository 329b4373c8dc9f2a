// Two buffers that the runtime frees, which the text does not show: the findings are silenced at their places.
func.func @handed_over(%x: f32, %i: index) {
  %one = memref.alloc() : memref<4xf32>  // memlane: ignore[leak] the runtime frees it
  memref.store %x, %one[%i] : memref<4xf32>
  // memlane: ignore[leak] the runtime frees this one, too
  %other = memref.alloc() : memref<4xf32>
  memref.store %x, %other[%i] : memref<4xf32>
  return
}
