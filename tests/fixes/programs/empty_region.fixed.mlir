// A region with nothing in it, not even what ends it, as mlir-opt prints it: the buffer dies where another region that
// uses it is left, too.
func.func @a_switch(%i: index, %x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  scf.index_switch %i
  case 0 {
    scf.yield
  }
  case 1 {
    memref.copy %a, %x : memref<4xf32> to memref<4xf32>
    scf.yield
  }
  default {
  }
  memref.dealloc %a : memref<4xf32>
  return
}

func.func @an_if(%i: i1, %x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  scf.if %i {
    memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  } else {
  }
  memref.dealloc %a : memref<4xf32>
  return
}
