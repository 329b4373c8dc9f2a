// Control never comes behind a call of `abort`: what its block hands on still takes a flag where the others do.

func.func private @abort()
func.func @three(%x: memref<4xf32>, %k: index) {
  %false = arith.constant false
  %r, %r_owned = scf.index_switch %k -> memref<4xf32>, i1
  case 0 {
    func.call @abort() : () -> ()
    scf.yield %x, %false : memref<4xf32>, i1
  }
  case 1 {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %x, %a : memref<4xf32> to memref<4xf32>
    %true = arith.constant true
    scf.yield %a, %true : memref<4xf32>, i1
  }
  default {
    scf.yield %x, %false : memref<4xf32>, i1
  }
  memref.copy %r, %x : memref<4xf32> to memref<4xf32>
  scf.if %r_owned {
    memref.dealloc %r : memref<4xf32>
  }
  return
}
func.func @two(%x: memref<4xf32>, %c: i1) {
  %r = scf.if %c -> (memref<4xf32>) {
    func.call @abort() : () -> ()
    scf.yield %x : memref<4xf32>
  } else {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %x, %a : memref<4xf32> to memref<4xf32>
    scf.yield %a : memref<4xf32>
  }
  memref.copy %r, %x : memref<4xf32> to memref<4xf32>
  memref.dealloc %r : memref<4xf32>
  return
}
func.func @blocks(%x: memref<4xf32>, %c: i1, %d: i1) {
  cf.cond_br %c, ^a, ^b
^a:
  func.call @abort() : () -> ()
  cf.br ^e(%x : memref<4xf32>)
^b:
  cf.cond_br %d, ^n, ^e(%x : memref<4xf32>)
^n:
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  cf.br ^e(%a : memref<4xf32>)
^e(%r: memref<4xf32>):
  memref.copy %r, %x : memref<4xf32> to memref<4xf32>
  scf.if %d {
    memref.dealloc %r : memref<4xf32>
  }
  return
}
func.func @unowned(%x: memref<4xf32>, %c: i1) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  scf.if %c {
    func.call @abort() : () -> ()
  }
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}
