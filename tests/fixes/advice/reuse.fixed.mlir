// config: select = ["reusable-buffer"]
// A dead buffer of the same type serves again.

func.func @steps(%x: memref<8xf32>, %y: memref<8xf32>) {
  %first = memref.alloc() : memref<8xf32>
  memref.copy %x, %first : memref<8xf32> to memref<8xf32>
  memref.copy %first, %y : memref<8xf32> to memref<8xf32>
  // goes
  // goes
  memref.copy %y, %first : memref<8xf32> to memref<8xf32>
  %view = memref.subview %first[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %first, %x : memref<8xf32> to memref<8xf32>
  // frees %first
  memref.copy %x, %first : memref<8xf32> to memref<8xf32>
  memref.copy %first, %y : memref<8xf32> to memref<8xf32>
  memref.dealloc %first : memref<8xf32>
  return
}

// Between the two a bigger buffer would live beside the one that is kept.
func.func @held(%x: memref<8xf32>, %n: index, %f: f32) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  %big = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%big : memref<?xf32>)
  memref.dealloc %big : memref<?xf32>
  %b = memref.alloc() : memref<8xf32>  // left: the memory would be held while other memory is taken
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return
}

// Nobody may write to a clone.
func.func @clone(%x: memref<8xf32>, %y: memref<8xf32>) {
  %a = bufferization.clone %x : memref<8xf32> to memref<8xf32>
  memref.copy %a, %y : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  memref.copy %b, %y : memref<8xf32> to memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return
}
