// Whose a buffer is depends on more than any condition at hand: through several merges, only where it is needed.
func.func private @cond() -> i1
func.func @several(%x: memref<8xf32>, %p: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = scf.while (%m = %x) : (memref<8xf32>) -> memref<8xf32> {
    %q = func.call @cond() : () -> i1
    scf.condition(%q) %m : memref<8xf32>
  } do {
  ^bb0(%m: memref<8xf32>):
    %a = memref.alloc() : memref<8xf32>
    memref.copy %m, %a : memref<8xf32> to memref<8xf32>
    scf.yield %a : memref<8xf32>
  }
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %w) -> (memref<8xf32>) {
    %q = func.call @cond() : () -> i1
    %s = scf.if %q -> (memref<8xf32>) {
      scf.yield %w : memref<8xf32>
    } else {
      scf.yield %k : memref<8xf32>
    }
    %t = scf.if %p -> (memref<8xf32>) {
      %b = memref.alloc() : memref<8xf32>
      memref.copy %s, %b : memref<8xf32> to memref<8xf32>
      scf.yield %b : memref<8xf32>
    } else {
      scf.yield %s : memref<8xf32>
    }
    scf.yield %t : memref<8xf32>
  }
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  return
}
