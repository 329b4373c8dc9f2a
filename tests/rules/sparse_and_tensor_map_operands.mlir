// Operations of a GPU with several lists of operands, of which a token may be the first; and what keeps no buffer.

!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo=none, oob=zero, interleave=none>

func.func @waits_for_the_copy(%h: memref<16x32xf16>, %v: memref<16xf16>, %n: index, %f0: f16) {
  %a = memref.alloc() : memref<16xf16>
  linalg.fill ins(%f0 : f16) outs(%a : memref<16xf16>)
  %t0 = gpu.wait async
  %t2 = gpu.memcpy async [%t0] %v, %a : memref<16xf16>, memref<16xf16>
  %dn, %t4 = gpu.create_dn_tensor async [%t2] %h, %n, %n : index, index into memref<16x32xf16>
  gpu.wait [%t4]
  memref.dealloc %a : memref<16xf16>
  return
}

func.func @works_on_a_freed_buffer(%sp: !gpu.sparse.spmat_handle, %dn: !gpu.sparse.dntensor_handle, %t: !gpu.async.token) {
  %a, %t0 = gpu.alloc async [%t] () : memref<16xf16>
  %t1 = gpu.dealloc async [%t0] %a : memref<16xf16>
  // expected-error @below [use-after-free] {{%a}}
  %t2 = gpu.spmm async [%t1] %sp, %dn, %dn, %a : memref<16xf16> into f32
  gpu.wait [%t2]
  return
}

// A descriptor is an address: the function goes on owning the buffer.
func.func @described(%h: memref<128x128xf16>) {
  %c64 = arith.constant 64 : index
  // expected-warning @below [leak] {{%a}}
  %a = gpu.alloc () : memref<128x128xf16>
  gpu.memcpy %a, %h : memref<128x128xf16>, memref<128x128xf16>
  %u = memref.cast %a : memref<128x128xf16> to memref<*xf16>
  %d = nvgpu.tma.create.descriptor %u box[%c64, %c64] : memref<*xf16> -> !map
  return
}
