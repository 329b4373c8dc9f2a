// Memory of a group of threads, or of one of them, is there as long as these: nobody has to free it.

func.func @workgroup(%x: f32, %i: index) {
  %a = memref.alloc() : memref<16xf32, #gpu.address_space<workgroup>>
  memref.store %x, %a[%i] : memref<16xf32, #gpu.address_space<workgroup>>
  return
}

func.func @layout_and_space(%x: f32, %i: index) {
  %a = memref.alloc() : memref<16xf32, strided<[1]>, #gpu.address_space<private>>
  memref.store %x, %a[%i] : memref<16xf32, strided<[1]>, #gpu.address_space<private>>
  return
}

// Who frees it does so once.
func.func @freed(%x: f32, %i: index) {
  %a = memref.alloc() : memref<16xf32, #gpu.address_space<workgroup>>
  memref.store %x, %a[%i] : memref<16xf32, #gpu.address_space<workgroup>>
  memref.dealloc %a : memref<16xf32, #gpu.address_space<workgroup>>
  // expected-error @below [use-after-free] {{%a}}
  memref.store %x, %a[%i] : memref<16xf32, #gpu.address_space<workgroup>>
  // expected-error @below [double-free] {{%a}}
  memref.dealloc %a : memref<16xf32, #gpu.address_space<workgroup>>
  return
}

func.func @global(%x: f32, %i: index) {
  // expected-warning @below [leak] {{%a}}
  %a = memref.alloc() : memref<16xf32, #gpu.address_space<global>>
  memref.store %x, %a[%i] : memref<16xf32, #gpu.address_space<global>>
  return
}
