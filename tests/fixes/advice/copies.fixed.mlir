// config: select = ["redundant-copy"]
// The source of a copy serves on where nobody needs it besides.

func.func @handed_over(%x: memref<8xf32>, %f: f32) {
  %old = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%old : memref<8xf32>)
  // goes
  memref.copy %old, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %old : memref<8xf32>  // frees %old
  return
}

func.func @clones(%x: memref<8xf32>, %f: f32) {
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return
}

// Somebody needs the source; writes to the copy; looks at it through a view.
func.func @needed(%x: memref<8xf32>, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  %v = memref.load %b[%c0] : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  %c = bufferization.clone %x : memref<8xf32> to memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  memref.copy %c, %d : memref<8xf32> to memref<8xf32>
  memref.dealloc %c : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%d : memref<8xf32>)
  memref.copy %d, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %d : memref<8xf32>
  return %v : f32
}
