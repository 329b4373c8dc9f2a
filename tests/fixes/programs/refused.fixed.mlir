// What upstream's passes leave alone or refuse: other functions, regions of other dialects, atomic operations.
gpu.module @kernels {
  gpu.func @kernel(%x: memref<8xf32>) kernel {
    %a = memref.alloc() : memref<8xf32>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    memref.dealloc %a : memref<8xf32>
    gpu.return
  }
}

func.func @threads(%x: memref<8xf32>) {
  omp.parallel {
    %a = memref.alloc() : memref<8xf32>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    memref.dealloc %a : memref<8xf32>
    omp.terminator
  }
  return
}

func.func @atomic(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %r = memref.generic_atomic_rmw %a[%c0] : memref<8xf32> {
  ^bb0(%old: f32):
    memref.atomic_yield %old : f32
  }
  memref.dealloc %a : memref<8xf32>
  memref.copy %x, %x : memref<8xf32> to memref<8xf32>
  return
}

func.func @in_order(%x: memref<8xf32>) {
  %t0 = gpu.wait async
  %a, %t1 = gpu.alloc async [%t0] () : memref<8xf32>
  %t2 = gpu.memcpy async [%t1] %a, %x : memref<8xf32>, memref<8xf32>
  gpu.wait [%t2]
  gpu.dealloc %a : memref<8xf32>
  memref.copy %x, %x : memref<8xf32> to memref<8xf32>
  return
}

func.func @executed(%c: i1, %x: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.execute_region -> memref<8xf32> {
    %a = memref.alloc() : memref<8xf32>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    scf.yield %a : memref<8xf32>
  }
  %v = memref.load %r[%c0] : memref<8xf32>
  memref.dealloc %r : memref<8xf32>
  return %v : f32
}

func.func @cases(%k: index, %x: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %r, %r_owned = scf.index_switch %k -> memref<8xf32>, i1
  case 2 {
    %a = memref.alloc() : memref<8xf32>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    %true = arith.constant true
    scf.yield %a, %true : memref<8xf32>, i1
  }
  default {
    %false = arith.constant false
    scf.yield %x, %false : memref<8xf32>, i1
  }
  %v = memref.load %r[%c0] : memref<8xf32>
  scf.if %r_owned {
    memref.dealloc %r : memref<8xf32>
  }
  return %v : f32
}
