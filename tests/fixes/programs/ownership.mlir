// No condition at hand says whose buffer it is: a flag goes along with it.
func.func @hidden(%c: i1, %n: index, %arg: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%cur = %arg) -> (memref<8xf32>) {
    %buf = memref.alloc() : memref<8xf32>
    memref.copy %cur, %buf : memref<8xf32> to memref<8xf32>
    scf.yield %buf : memref<8xf32>
  }
  %v = memref.load %last[%c0] : memref<8xf32>
  return %v : f32
}
func.func private @cond() -> i1
func.func @nested(%c: i1, %arg: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.if %c -> memref<8xf32> {
    %d = func.call @cond() : () -> i1
    %x = scf.if %d -> memref<8xf32> {
      %a = memref.alloc() : memref<8xf32>
      memref.copy %arg, %a : memref<8xf32> to memref<8xf32>
      scf.yield %a : memref<8xf32>
    } else {
      scf.yield %arg : memref<8xf32>
    }
    scf.yield %x : memref<8xf32>
  } else {
    scf.yield %arg : memref<8xf32>
  }
  %v = memref.load %r[%c0] : memref<8xf32>
  return %v : f32
}
func.func @blocks(%arg: memref<8xf32>, %out: memref<8xf32>) {
  %d = func.call @cond() : () -> i1
  cf.br ^loop(%arg : memref<8xf32>)
^loop(%m: memref<8xf32>):
  %new = memref.alloc() : memref<8xf32>
  memref.copy %m, %new : memref<8xf32> to memref<8xf32>
  %e = func.call @cond() : () -> i1
  cf.cond_br %e, ^loop(%new : memref<8xf32>), ^done(%new : memref<8xf32>)
^done(%r: memref<8xf32>):
  memref.copy %r, %out : memref<8xf32> to memref<8xf32>
  return
}
