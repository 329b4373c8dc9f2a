// config: select=["sinkable-free"]
// Deallocations that are late on some executions only.

func.func @needed_in_one_branch(%in: memref<64xf32>, %out: memref<64xf32>, %c: i1) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  cf.cond_br %c, ^needs, ^does_not
^needs:
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  cf.br ^end
^does_not:
  memref.copy %in, %out : memref<64xf32> to memref<64xf32>
  cf.br ^end
^end:
  // expected-remark @below [sinkable-free] {{%a of 256 bytes is not needed in a branch before this}}
  memref.dealloc %a : memref<64xf32>
  return
}

// Late on all: that is `late-free`.
func.func @late(%in: memref<64xf32>, %out: memref<64xf32>, %c: i1) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  memref.copy %in, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %a : memref<64xf32>
  return
}

// Late on none.
func.func @in_time(%in: memref<64xf32>, %out: memref<64xf32>, %c: i1) {
  %a = memref.alloc() : memref<64xf32>
  scf.if %c {
    memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  } else {
    memref.copy %out, %a : memref<64xf32> to memref<64xf32>
  }
  memref.dealloc %a : memref<64xf32>
  return
}

// The branch that needs it leaves a loop.
func.func @left_early(%in: memref<64xf32>, %out: memref<64xf32>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^done
^body:
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  %next = arith.addi %i, %c1 : index
  cf.cond_br %c, ^end, ^head(%next : index)
^done:
  memref.copy %in, %out : memref<64xf32> to memref<64xf32>
  cf.br ^end
^end:
  // expected-remark @below [sinkable-free] {{%a}}
  memref.dealloc %a : memref<64xf32>
  return
}
