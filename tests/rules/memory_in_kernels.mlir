// Memory of threads of a GPU: in a kernel also by the number of its space, as NVVM and ROCDL count them.

func.func @numbered(%out: memref<16xf32>, %v: f32, %j: index, %c1: index) {
  gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %f = %c1) threads(%t, %y, %z) in (%g = %c1, %h = %c1, %i = %c1) {
    %s = memref.alloc() : memref<16xf32, 3>
    memref.store %v, %s[%t] : memref<16xf32, 3>
    gpu.barrier
    %x = memref.load %s[%j] : memref<16xf32, 3>
    memref.store %x, %out[%t] : memref<16xf32>
    gpu.barrier
    memref.store %x, %out[%j] : memref<16xf32>
    memref.dealloc %s : memref<16xf32, 3>
    gpu.terminator
  }
  return
}

gpu.module @kernels {
  gpu.func @never_freed(%v: f32, %i: index) kernel {
    %s = memref.alloc() : memref<16xf32, 3>
    %p = memref.alloc() : memref<16xf32, 5>
    memref.store %v, %s[%i] : memref<16xf32, 3>
    memref.store %v, %p[%i] : memref<16xf32, 5>
    gpu.return
  }

  // What one thread reads another has written: on the path of the first nothing is.
  gpu.func @specialized(%out: memref<16xf32>, %v: f32, %c1: index) kernel {
    %t = gpu.thread_id x
    %produces = arith.cmpi eq, %t, %c1 : index
    %s = memref.alloc() : memref<16xf32, #gpu.address_space<workgroup>>
    scf.if %produces {
      memref.store %v, %s[%t] : memref<16xf32, #gpu.address_space<workgroup>>
      gpu.barrier
    } else {
      gpu.barrier
      %x = memref.load %s[%c1] : memref<16xf32, #gpu.address_space<workgroup>>
      memref.store %x, %out[%t] : memref<16xf32>
    }
    gpu.return
  }

  gpu.func @never_written(%out: memref<16xf32>, %c1: index) kernel {
    %s = memref.alloc() : memref<16xf32, #gpu.address_space<workgroup>>
    // expected-warning @below [uninitialized-read] {{%s}}
    %x = memref.load %s[%c1] : memref<16xf32, #gpu.address_space<workgroup>>
    memref.store %x, %out[%c1] : memref<16xf32>
    gpu.return
  }

  // Each thread has its own.
  gpu.func @private(%out: memref<16xf32>, %v: f32, %c1: index, %c: i1) kernel {
    %p = memref.alloca() : memref<16xf32, #gpu.address_space<private>>
    scf.if %c {
      memref.store %v, %p[%c1] : memref<16xf32, #gpu.address_space<private>>
    } else {
      // expected-warning @below [uninitialized-read] {{%p}}
      %x = memref.load %p[%c1] : memref<16xf32, #gpu.address_space<private>>
      memref.store %x, %out[%c1] : memref<16xf32>
    }
    gpu.return
  }
}

func.func @made_outside(%out: memref<16xf32>, %v: f32, %c1: index) {
  %s = gpu.alloc () : memref<16xf32>
  gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %f = %c1) threads(%t, %y, %z) in (%g = %c1, %h = %c1, %i = %c1) {
    %produces = arith.cmpi eq, %t, %c1 : index
    scf.if %produces {
      memref.store %v, %s[%t] : memref<16xf32>
      gpu.barrier
    } else {
      gpu.barrier
      %x = memref.load %s[%c1] : memref<16xf32>
      memref.store %x, %out[%t] : memref<16xf32>
    }
    gpu.terminator
  }
  gpu.dealloc %s : memref<16xf32>
  return
}

// Elsewhere the number of a space says nothing.
func.func @on_the_host(%v: f32, %i: index) {
  // expected-warning @below [leak] {{%s}}
  %s = memref.alloc() : memref<16xf32, 3>
  memref.store %v, %s[%i] : memref<16xf32, 3>
  return
}

// A group of threads has what it shares once; each round is another group.
func.func @shared_by_groups(%v: f16, %i: index) {
  scf.forall (%x) in (1764) {
    %s = memref.alloca() : memref<16384xf16, #gpu.address_space<workgroup>>
    memref.store %v, %s[%i] : memref<16384xf16, #gpu.address_space<workgroup>>
  } {mapping = [#gpu.block<x>]}
  return
}
