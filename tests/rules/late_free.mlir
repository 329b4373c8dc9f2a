// Deallocations that could stand earlier in their own block.

func.func @late(%x: memref<4xf32>, %y: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %a, %y : memref<4xf32> to memref<4xf32>
  memref.copy %y, %x : memref<4xf32> to memref<4xf32>
  // expected-warning @below [late-free] {{16 bytes is held over 1 operation}}
  memref.dealloc %a : memref<4xf32>
  return
}

// Constants and other deallocations in between cost nothing.
func.func @in_time(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %x, %b : memref<4xf32> to memref<4xf32>
  linalg.add ins(%a, %b : memref<4xf32>, memref<4xf32>) outs(%x : memref<4xf32>)
  memref.dealloc %b : memref<4xf32>
  %c0 = arith.constant 0 : index
  memref.dealloc %a : memref<4xf32>
  return
}

// The size is symbolic where it is known at run time only.
func.func @dynamic(%n: index, %x: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  memref.copy %a, %x : memref<?xf32> to memref<?xf32>
  %m = arith.addi %n, %n : index
  %k = arith.muli %m, %n : index
  // expected-warning @below [late-free] {{4*%n bytes is held over 2 operations}}
  memref.dealloc %a : memref<?xf32>
  return
}

// Who finds a buffer in memory may use it there: its last use is not known.
func.func private @use_what_is_kept()

func.func @kept(%box: memref<1xmemref<4xf32>>, %x: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  memref.store %a, %box[%c0] : memref<1xmemref<4xf32>>
  func.call @use_what_is_kept() : () -> ()
  memref.dealloc %a : memref<4xf32>
  return
}

// Nor on the ways on which it is not kept: there is one deallocation for all.
func.func @kept_sometimes(%box: memref<1xmemref<4xf32>>, %x: f32, %keep: i1) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  scf.if %keep {
    memref.store %a, %box[%c0] : memref<1xmemref<4xf32>>
  }
  func.call @use_what_is_kept() : () -> ()
  memref.dealloc %a : memref<4xf32>
  return
}

// What may name it keeps it, also where that is on paths only on which this deallocation frees another buffer, or none.
func.func @named_elsewhere(%c: i1, %x: f32, %i: index) {
  %true = arith.constant true
  %not = arith.xori %c, %true : i1
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  memref.store %x, %b[%i] : memref<4xf32>
  %s = arith.select %c, %a, %b : memref<4xf32>
  memref.store %x, %s[%i] : memref<4xf32>
  bufferization.dealloc (%a : memref<4xf32>) if (%not)
  bufferization.dealloc (%a : memref<4xf32>) if (%c)
  memref.dealloc %b : memref<4xf32>
  return
}
