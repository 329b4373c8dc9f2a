// A number decides: a flag goes along to where the ways meet.
func.func @made_in_one_case(%i: i32, %x: memref<8xf32>) {
  cf.switch %i : i32, [
    default: ^join(%x : memref<8xf32>),
    1: ^make,
    2: ^join(%x : memref<8xf32>)
  ]
^make:
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  cf.br ^join(%a : memref<8xf32>)
^join(%r: memref<8xf32>):
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
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
  cf.br ^end
^idle:
  %b = memref.alloc() : memref<64xf32>
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<8xf32>
  memref.store %v, %b[%c0] : memref<64xf32>
  cf.br ^end
^end:
  return
}
