// Results without a name get one, and are freed.

func.func private @both(%n: index) -> (memref<?xf32>, index, memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  return %a, %n, %b : memref<?xf32>, index, memref<?xf32>
}

func.func private @perhaps(%a: memref<4xf32>, %f: i1) -> memref<4xf32> {
  %r = scf.if %f -> memref<4xf32> {
    %n = memref.alloc() : memref<4xf32>
    scf.yield %n : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  return %r : memref<4xf32>
}

func.func @caller(%a: memref<4xf32>, %buffer: index, %f: i1) {
  %buffer_0 = memref.alloc() : memref<4xf32>
  memref.dealloc %buffer_0 : memref<4xf32>
  %buffer_1 = "memref.alloc"(%buffer) <{operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?xf32>
  memref.dealloc %buffer_1 : memref<?xf32>
  %buffer_2:3 = func.call @both(%buffer) : (index) -> (memref<?xf32>, index, memref<?xf32>)
  memref.dealloc %buffer_2#2 : memref<?xf32>
  memref.dealloc %buffer_2#0 : memref<?xf32>
  %buffer_3 = func.call @perhaps(%a, %f) : (memref<4xf32>, i1) -> memref<4xf32>
  scf.if %f {
    memref.dealloc %buffer_3 : memref<4xf32>
  }
  return
}
