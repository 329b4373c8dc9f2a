// A number decides: a flag goes along to where the ways meet.
func.func @made_in_one_case(%i: i32, %x: memref<8xf32>) {
  %false = arith.constant false
  cf.switch %i : i32, [
    default: ^join(%x, %false : memref<8xf32>, i1),
    1: ^make,
    2: ^join(%x, %false : memref<8xf32>, i1)
  ]
^make:
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %true = arith.constant true
  cf.br ^join(%a, %true : memref<8xf32>, i1)
^join(%r: memref<8xf32>, %r_owned: i1):
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  scf.if %r_owned {
    memref.dealloc %r : memref<8xf32>
  }
  return
}

// Used in one case, dead in the others.
func.func @dead_in_the_others(%i: i32, %x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  cf.switch %i : i32, [
    default: ^idle,
    1: ^use
  ]
^use:
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  cf.br ^end
^idle:
  memref.dealloc %a : memref<8xf32>
  %b = memref.alloc() : memref<64xf32>
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<8xf32>
  memref.store %v, %b[%c0] : memref<64xf32>
  memref.dealloc %b : memref<64xf32>
  cf.br ^end
^end:
  return
}
