// What a loop did to the next buffer in the round before says nothing of when this one is last used.

func.func @unused(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> (memref<4xf32>) {
    %new = memref.alloc() : memref<4xf32>
    memref.store %x, %new[%i] : memref<4xf32>
    // expected-warning @below [late-free] {{buffer %a of 16 bytes is held over 2 operations after the start of its block}}
    memref.dealloc %b : memref<4xf32>
    scf.yield %new : memref<4xf32>
  }
  memref.dealloc %r : memref<4xf32>
  return
}

func.func @used(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> (memref<4xf32>) {
    %new = memref.alloc() : memref<4xf32>
    memref.copy %b, %new : memref<4xf32> to memref<4xf32>
    memref.dealloc %b : memref<4xf32>
    scf.yield %new : memref<4xf32>
  }
  memref.dealloc %r : memref<4xf32>
  return
}

func.func @turns(%x: f32) {
  %a = memref.alloc() : memref<4xf32>
  %r = scf.while (%b = %a) : (memref<4xf32>) -> memref<4xf32> {
    %go = "test.ask"() : () -> i1
    scf.condition(%go) %b : memref<4xf32>
  } do {
  ^bb0(%b: memref<4xf32>):
    %new = memref.alloc() : memref<4xf32>
    linalg.fill ins(%x : f32) outs(%new : memref<4xf32>)
    // expected-warning @below [late-free] {{is held over 2 operations after the start of its block}}
    memref.dealloc %b : memref<4xf32>
    scf.yield %new : memref<4xf32>
  }
  memref.dealloc %r : memref<4xf32>
  return
}
