// Types with arrows and parentheses of their own get a flag behind them.
func.func private @cond() -> i1
func.func @map(%x: memref<4xf32, affine_map<(d0) -> (d0)>>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %r, %r_owned = scf.for %i = %c0 to %n step %c1 iter_args(%m = %x, %m_owned = %false) -> (memref<4xf32, affine_map<(d0) -> (d0)>>, i1) {
    %k = memref.alloc() : memref<4xf32, affine_map<(d0) -> (d0)>>
    memref.copy %m, %k : memref<4xf32, affine_map<(d0) -> (d0)>> to memref<4xf32, affine_map<(d0) -> (d0)>>
    scf.if %m_owned {
      memref.dealloc %m : memref<4xf32, affine_map<(d0) -> (d0)>>
    }
    %true = arith.constant true
    scf.yield %k, %true : memref<4xf32, affine_map<(d0) -> (d0)>>, i1
  }
  %v = memref.load %r[%c0] : memref<4xf32, affine_map<(d0) -> (d0)>>
  scf.if %r_owned {
    memref.dealloc %r : memref<4xf32, affine_map<(d0) -> (d0)>>
  }
  return %v : f32
}
func.func @map_if(%x: memref<4xf32, affine_map<(d0) -> (d0)>>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %r, %r_owned = scf.execute_region -> (memref<4xf32, affine_map<(d0) -> (d0)>>, i1) {
    %c = func.call @cond() : () -> i1
    %false = arith.constant false
    cf.cond_br %c, ^bb1, ^bb2(%x, %false : memref<4xf32, affine_map<(d0) -> (d0)>>, i1)
    ^bb1:
    %k = memref.alloc() : memref<4xf32, affine_map<(d0) -> (d0)>>
    memref.copy %x, %k : memref<4xf32, affine_map<(d0) -> (d0)>> to memref<4xf32, affine_map<(d0) -> (d0)>>
    %true = arith.constant true
    cf.br ^bb2(%k, %true : memref<4xf32, affine_map<(d0) -> (d0)>>, i1)
    ^bb2(%m : memref<4xf32, affine_map<(d0) -> (d0)>>, %m_owned: i1):
    scf.yield %m, %m_owned : memref<4xf32, affine_map<(d0) -> (d0)>>, i1
  }
  %v = memref.load %r[%c0] : memref<4xf32, affine_map<(d0) -> (d0)>>
  scf.if %r_owned {
    memref.dealloc %r : memref<4xf32, affine_map<(d0) -> (d0)>>
  }
  return %v : f32
}
func.func @map_while(%x: memref<4xf32, affine_map<(d0) -> (d0)>>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %false = arith.constant false
  %r, %r_owned = scf.while (%a = %x, %a_owned = %false) : (memref<4xf32, affine_map<(d0) -> (d0)>>, i1) -> (memref<4xf32, affine_map<(d0) -> (d0)>>, i1) {
    %c = func.call @cond() : () -> i1
    scf.condition(%c) %a, %a_owned : memref<4xf32, affine_map<(d0) -> (d0)>>, i1
  } do {
    ^bb0(%m : memref<4xf32, affine_map<(d0) -> (d0)>>, %m_owned: i1):
    scf.if %m_owned {
      memref.dealloc %m : memref<4xf32, affine_map<(d0) -> (d0)>>
    }
    %k = memref.alloc() : memref<4xf32, affine_map<(d0) -> (d0)>>
    memref.copy %x, %k : memref<4xf32, affine_map<(d0) -> (d0)>> to memref<4xf32, affine_map<(d0) -> (d0)>>
    %true = arith.constant true
    scf.yield %k, %true : memref<4xf32, affine_map<(d0) -> (d0)>>, i1
  }
  %v = memref.load %r[%c0] : memref<4xf32, affine_map<(d0) -> (d0)>>
  scf.if %r_owned {
    memref.dealloc %r : memref<4xf32, affine_map<(d0) -> (d0)>>
  }
  return %v : f32
}
