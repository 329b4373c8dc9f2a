// config: select = ["unused-buffer"]
// What nobody reads goes, with all that is done to it.

func.func @never_used(%x: memref<8xf32>) {
  // why?
  memref.copy %x, %x : memref<8xf32> to memref<8xf32>
  return
}

func.func @only_written(%x: memref<8xf32>, %f: f32, %i: index, %q: i1) {
  scf.if %q {
  }
  return
}

// Some of it is read, or does more than write to it.
func.func @used(%x: memref<8xf32>, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  %v = memref.load %a[%c0] : memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%b : memref<8xf32>) {
  ^bb0(%old: f32):
    memref.store %f, %x[%c0] : memref<8xf32>
    linalg.yield %f : f32
  }
  memref.dealloc %b : memref<8xf32>
  return %v : f32
}
