// Blocks: where the buffer dies at the start of a successor, and on a critical edge.
func.func @successors(%c: i1, %out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  cf.cond_br %c, ^use, ^other
^use:
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %out, %b : memref<8xf32> to memref<8xf32>
  cf.br ^end
^other:
  %d = memref.alloc() : memref<16xf32>
  cf.br ^end
^end:
  return
}

func.func @critical(%c: i1, %n: index, %out: memref<8xf32>) -> index {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  cf.cond_br %c, ^use, ^end(%n : index)
^use:
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %out, %b : memref<8xf32> to memref<8xf32>
  %c0 = arith.constant 0 : index
  cf.br ^end(%c0 : index)
^end(%r: index):
  return %r : index
}

// A loop of blocks that carries a buffer.
func.func @loop(%n: index, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = memref.alloc() : memref<8xf32>
  memref.copy %out, %init : memref<8xf32> to memref<8xf32>
  cf.br ^head(%c0, %init : index, memref<8xf32>)
^head(%i: index, %m: memref<8xf32>):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^done
^body:
  %new = memref.alloc() : memref<8xf32>
  memref.copy %m, %new : memref<8xf32> to memref<8xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next, %new : index, memref<8xf32>)
^done:
  memref.copy %m, %out : memref<8xf32> to memref<8xf32>
  return
}

func.func @switch(%k: i32, %out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  cf.switch %k : i32, [
    default: ^none,
    1: ^one
  ]
^one:
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
^none:
  return
}
