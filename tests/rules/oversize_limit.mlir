// The limit is configured.
// config: limits.alloc="1 KiB"

func.func @limit() {
  // expected-warning @below [oversize-alloc] {{takes 1025 bytes, more than the limit of 1024}}
  %a = memref.alloc() : memref<1025xi8>
  memref.dealloc %a : memref<1025xi8>
  %b = memref.alloc() : memref<1024xi8>
  memref.dealloc %b : memref<1024xi8>
  return
}
