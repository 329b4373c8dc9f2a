// All of a function on one line.
func.func private @cond() -> i1
func.func @branch(%p: i1, %x: memref<8xf32>) { %a = memref.alloc() : memref<8xf32> scf.if %p { memref.copy %x, %a : memref<8xf32> to memref<8xf32> } return }
func.func private @make(%x: memref<8xf32>) -> memref<8xf32> { %c = func.call @cond() : () -> i1 %r = scf.if %c -> (memref<8xf32>) { %a = memref.alloc() : memref<8xf32> scf.yield %a : memref<8xf32> } else { scf.yield %x : memref<8xf32> } return %r : memref<8xf32> }
func.func @use(%x: memref<8xf32>) { %r = func.call @make(%x) : (memref<8xf32>) -> memref<8xf32> return }
func.func @carried(%x: memref<8xf32>, %n: index) { %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %x) -> (memref<8xf32>) { %a = memref.alloc() : memref<8xf32> memref.copy %m, %a : memref<8xf32> to memref<8xf32> scf.yield %a : memref<8xf32> } memref.copy %r, %x : memref<8xf32> to memref<8xf32> return }
