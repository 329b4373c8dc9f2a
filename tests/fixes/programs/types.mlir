// Types with arrows and parentheses of their own get a flag behind them.
func.func private @cond() -> i1
func.func @map(%x: memref<4xf32, affine_map<(d0) -> (d0)>>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %x) -> (memref<4xf32, affine_map<(d0) -> (d0)>>) {
    %k = memref.alloc() : memref<4xf32, affine_map<(d0) -> (d0)>>
    memref.copy %m, %k : memref<4xf32, affine_map<(d0) -> (d0)>> to memref<4xf32, affine_map<(d0) -> (d0)>>
    scf.yield %k : memref<4xf32, affine_map<(d0) -> (d0)>>
  }
  %v = memref.load %r[%c0] : memref<4xf32, affine_map<(d0) -> (d0)>>
  return %v : f32
}
func.func @map_if(%x: memref<4xf32, affine_map<(d0) -> (d0)>>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.execute_region -> memref<4xf32, affine_map<(d0) -> (d0)>> {
    %c = func.call @cond() : () -> i1
    cf.cond_br %c, ^bb1, ^bb2(%x : memref<4xf32, affine_map<(d0) -> (d0)>>)
    ^bb1:
    %k = memref.alloc() : memref<4xf32, affine_map<(d0) -> (d0)>>
    memref.copy %x, %k : memref<4xf32, affine_map<(d0) -> (d0)>> to memref<4xf32, affine_map<(d0) -> (d0)>>
    cf.br ^bb2(%k : memref<4xf32, affine_map<(d0) -> (d0)>>)
    ^bb2(%m : memref<4xf32, affine_map<(d0) -> (d0)>>):
    scf.yield %m : memref<4xf32, affine_map<(d0) -> (d0)>>
  }
  %v = memref.load %r[%c0] : memref<4xf32, affine_map<(d0) -> (d0)>>
  return %v : f32
}
func.func @map_while(%x: memref<4xf32, affine_map<(d0) -> (d0)>>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.while (%a = %x) : (memref<4xf32, affine_map<(d0) -> (d0)>>) -> memref<4xf32, affine_map<(d0) -> (d0)>> {
    %c = func.call @cond() : () -> i1
    scf.condition(%c) %a : memref<4xf32, affine_map<(d0) -> (d0)>>
  } do {
    ^bb0(%m : memref<4xf32, affine_map<(d0) -> (d0)>>):
    %k = memref.alloc() : memref<4xf32, affine_map<(d0) -> (d0)>>
    memref.copy %x, %k : memref<4xf32, affine_map<(d0) -> (d0)>> to memref<4xf32, affine_map<(d0) -> (d0)>>
    scf.yield %k : memref<4xf32, affine_map<(d0) -> (d0)>>
  }
  %v = memref.load %r[%c0] : memref<4xf32, affine_map<(d0) -> (d0)>>
  return %v : f32
}
