// Freed twice, too early, too late, and what must not be freed.
func.func @twice(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return
}

func.func @too_early(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.dealloc %a : memref<8xf32>  // comes along
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}

func.func @too_late(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  // work that does not need %a
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32> // comes along
  memref.dealloc %b : memref<8xf32>
  return
}

func.func @not_ours(%x: memref<8xf32>) {
  %s = memref.alloca() : memref<8xf32>
  memref.copy %x, %s : memref<8xf32> to memref<8xf32>
  memref.dealloc %s : memref<8xf32>
  memref.dealloc %x : memref<8xf32>
  return
}

// The conditions are those of another buffer: they go where nothing else is in them.
func.func @sometimes(%c: i1, %x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  scf.if %c {
    memref.dealloc %a : memref<8xf32>
  }
  return
}

func.func @other_allocator(%x: memref<8xf32>) {
  %a = gpu.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return
}

// What a private function does to its argument is its callers' business, but freeing it twice is not.
func.func private @drop(%m: memref<8xf32>) {
  memref.dealloc %m : memref<8xf32>
  memref.dealloc %m : memref<8xf32>
  return
}

func.func @dropped() {
  %a = memref.alloc() : memref<8xf32>
  call @drop(%a) : (memref<8xf32>) -> ()
  return
}
