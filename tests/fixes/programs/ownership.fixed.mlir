// No condition at hand says whose buffer it is: a flag goes along with it.
func.func @hidden(%c: i1, %n: index, %arg: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %last, %last_owned = scf.for %i = %c0 to %n step %c1 iter_args(%cur = %arg, %cur_owned = %false) -> (memref<8xf32>, i1) {
    %buf = memref.alloc() : memref<8xf32>
    memref.copy %cur, %buf : memref<8xf32> to memref<8xf32>
    scf.if %cur_owned {
      memref.dealloc %cur : memref<8xf32>
    }
    %true = arith.constant true
    scf.yield %buf, %true : memref<8xf32>, i1
  }
  %v = memref.load %last[%c0] : memref<8xf32>
  scf.if %last_owned {
    memref.dealloc %last : memref<8xf32>
  }
  return %v : f32
}
func.func private @cond() -> i1
func.func @nested(%c: i1, %arg: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %false = arith.constant false
  %r, %r_owned = scf.if %c -> (memref<8xf32>, i1) {
    %d = func.call @cond() : () -> i1
    %x, %x_owned = scf.if %d -> (memref<8xf32>, i1) {
      %a = memref.alloc() : memref<8xf32>
      memref.copy %arg, %a : memref<8xf32> to memref<8xf32>
      %true = arith.constant true
      scf.yield %a, %true : memref<8xf32>, i1
    } else {
      scf.yield %arg, %false : memref<8xf32>, i1
    }
    scf.yield %x, %x_owned : memref<8xf32>, i1
  } else {
    scf.yield %arg, %false : memref<8xf32>, i1
  }
  %v = memref.load %r[%c0] : memref<8xf32>
  scf.if %r_owned {
    memref.dealloc %r : memref<8xf32>
  }
  return %v : f32
}
func.func @blocks(%arg: memref<8xf32>, %out: memref<8xf32>) {
  %d = func.call @cond() : () -> i1
  %false = arith.constant false
  cf.br ^loop(%arg, %false : memref<8xf32>, i1)
^loop(%m: memref<8xf32>, %m_owned: i1):
  %new = memref.alloc() : memref<8xf32>
  memref.copy %m, %new : memref<8xf32> to memref<8xf32>
  scf.if %m_owned {
    memref.dealloc %m : memref<8xf32>
  }
  %e = func.call @cond() : () -> i1
  %true = arith.constant true
  cf.cond_br %e, ^loop(%new, %true : memref<8xf32>, i1), ^done(%new : memref<8xf32>)
^done(%r: memref<8xf32>):
  memref.copy %r, %out : memref<8xf32> to memref<8xf32>
  memref.dealloc %r : memref<8xf32>
  return
}
