// config: limits.late-operations=2

// So few operations are not worth a word.
func.func @one(%x: memref<4xf32>, %y: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %y, %x : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}

func.func @two(%x: memref<4xf32>, %y: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %y, %x : memref<4xf32> to memref<4xf32>
  cf.br ^next
^next:
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  // expected-warning @below [late-free] {{is held over 2 operations}}
  memref.dealloc %a : memref<4xf32>
  return
}
