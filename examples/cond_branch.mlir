// A diamond: one path forwards the caller's buffer, the other a new one. The copy from %source does not show which
// it is, and the new one is never freed.

func.func @cond_branch(%cond: i1, %given: memref<2xf32>, %result: memref<2xf32>) {
  cf.cond_br %cond, ^given, ^fresh
^given:
  cf.br ^join(%given : memref<2xf32>)
^fresh:
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %alloc = memref.alloc() : memref<2xf32>
  memref.store %one, %alloc[%c0] : memref<2xf32>
  memref.store %one, %alloc[%c1] : memref<2xf32>
  cf.br ^join(%alloc : memref<2xf32>)
^join(%source: memref<2xf32>):
  memref.copy %source, %result : memref<2xf32> to memref<2xf32>
  return
}
