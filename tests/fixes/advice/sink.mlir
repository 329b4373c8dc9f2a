// config: select = ["early-alloc"]
// Allocations go down to the first operation of their block that needs them.

func.func @first_use(%x: memref<8xf32>, %y: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>  // comes along
  memref.copy %x, %y : memref<8xf32> to memref<8xf32>
  // what needs it
  memref.copy %y, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return
}

func.func @used_in_a_region(%x: memref<8xf32>, %n: index, %q: i1) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) {alignment = 64 : i64} :
      memref<?xf32>
  memref.copy %x, %x : memref<8xf32> to memref<8xf32>
  %view = memref.cast %a : memref<?xf32> to memref<*xf32>
  %f = memref.load %x[%c0] : memref<8xf32>
  scf.if %q {
    linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
  }
  memref.dealloc %a : memref<?xf32>
  return
}

func.func @on_one_line(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32> memref.copy %x, %x : memref<8xf32> to memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return
}

// The contents of a clone are those of its source at that place: it stays.
func.func @clone(%x: memref<8xf32>, %y: memref<8xf32>) {
  %a = bufferization.clone %x : memref<8xf32> to memref<8xf32>
  memref.copy %y, %y : memref<8xf32> to memref<8xf32>
  memref.copy %a, %y : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return
}
