// Two buffers die where one edge is taken: both are freed there.
func.func @no_else(%x: memref<8xf32>, %p: i1, %q: i1) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  scf.if %p {
    %s = arith.select %q, %a, %b : memref<8xf32>
    memref.copy %s, %x : memref<8xf32> to memref<8xf32>
    memref.dealloc %a : memref<8xf32>
    memref.dealloc %b : memref<8xf32>
    %t = memref.alloc() : memref<8xf32>
    memref.copy %x, %t : memref<8xf32> to memref<8xf32>
    memref.copy %t, %x : memref<8xf32> to memref<8xf32>
    memref.dealloc %t : memref<8xf32>
  } else {
    memref.dealloc %b : memref<8xf32>
    memref.dealloc %a : memref<8xf32>
  }
  return
}
func.func @critical_edge(%x: memref<8xf32>, %p: i1, %q: i1) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  cf.cond_br %p, ^use, ^free1
^free1:
  memref.dealloc %b : memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  cf.br ^out
^use:
  %s = arith.select %q, %a, %b : memref<8xf32>
  memref.copy %s, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  memref.copy %x, %t : memref<8xf32> to memref<8xf32>
  memref.copy %t, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %t : memref<8xf32>
  cf.br ^out
^out:
  return
}
// Two buffers die inside an operation, and one of them behind others: none is freed in both places.
func.func private @cond() -> i1
func.func @inside(%x: memref<8xf32>, %p0: i1, %p1: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloc() : memref<8xf32>
    memref.copy %x, %t : memref<8xf32> to memref<8xf32>
    memref.dealloc %t : memref<8xf32>
  }
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  scf.if %p1 {
    %w = scf.while (%m = %a) : (memref<8xf32>) -> memref<8xf32> {
      %q = func.call @cond() : () -> i1
      scf.condition(%q) %m : memref<8xf32>
    } do {
    ^bb0(%m: memref<8xf32>):
      scf.yield %a : memref<8xf32>
    }
    %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%m = %b) -> (memref<8xf32>) {
      %s = arith.select %p0, %a, %x : memref<8xf32>
      scf.yield %s : memref<8xf32>
    }
  } else {
    memref.dealloc %a : memref<8xf32>
  }
  scf.if %p1 {
    %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%m = %a) -> (memref<8xf32>) {
      %s = scf.if %p0 -> (memref<8xf32>) {
        scf.yield %x : memref<8xf32>
      } else {
        %new = memref.alloc() : memref<8xf32>
        memref.copy %a, %new : memref<8xf32> to memref<8xf32>
        memref.dealloc %new : memref<8xf32>
        %u = scf.if %p1 -> (memref<8xf32>) {
          scf.yield %m : memref<8xf32>
        } else {
          scf.yield %b : memref<8xf32>
        }
        scf.yield %m : memref<8xf32>
      }
      scf.yield %a : memref<8xf32>
    }
    memref.dealloc %a : memref<8xf32>
  }
  return
}

// A new block goes on as the others of its function do.
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @lowered(%n: i64, %c: i1) {
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.cond_br %c, ^bb1, ^free1
^free1:
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.br ^bb2
^bb1:
  llvm.store %n, %p : i64, !llvm.ptr
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.br ^bb2
^bb2:
  llvm.return
}
