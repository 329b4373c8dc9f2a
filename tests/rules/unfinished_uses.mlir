// Before a deallocation a use is being written: an operation without its buffer, a region with nothing in it. Behind the
// last use of what is freed there stands perhaps one more, so that it is not told to be late.

func.func @uses(%i: index, %n: index, %z: f32, %c: i1) {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<4xf32>)
  memref.store %z, [%i] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%z : f32) outs(%b : memref<4xf32>)
  scf.for %k = %i to %n step %i {

  }
  memref.dealloc %b : memref<4xf32>
  %d = memref.alloc() : memref<4xf32>
  linalg.fill ins(%z : f32) outs(%d : memref<4xf32>)
  scf.if %c {
    memref.
  }
  memref.dealloc %d : memref<4xf32>
  return
}

func.func private @work()

func.func @late_all_the_same(%i: index, %n: index, %z: f32) {
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%z : f32) outs(%b : memref<4xf32>)
  scf.for %k = %i to %n step %i {
  }
  call @work() : () -> ()
  // expected-warning @below [late-free] {{held over 1 operation}}
  memref.dealloc %b : memref<4xf32>
  %d = memref.alloc() : memref<4xf32>
  linalg.fill ins(%z : f32) outs(%d : memref<4xf32>)
  scf.for %k = %i to %n step %i {
    func.call @work() : () -> ()
  }
  // expected-warning @below [late-free] {{held over 1 operation}}
  memref.dealloc %d : memref<4xf32>
  return
}
