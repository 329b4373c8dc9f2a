// A comment for the file holds before and behind it, in all chunks.
// expected-nothing

func.func @before(%x: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  return
}

// memlane: ignore-file[leak, unused-suppression] generated

// -----

func.func @behind(%x: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>  // memlane: ignore[double-free]
  return
}
