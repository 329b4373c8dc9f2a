// Where a buffer is handed on is being written: a branch that lacks its values, a block that lacks its arguments, a region
// that lacks its yield. Where the buffer goes nobody knows yet, so that it is not lost.

func.func @branch(%n: index, %x: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %first = memref.alloc() : memref<4xf32>
  memref.copy %x, %first : memref<4xf32> to memref<4xf32>
  cf.br ^loop(%zero, %first : index, memref<4xf32>)
^loop(%i: index, %m: memref<4xf32>):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  %new = memref.alloc() : memref<4xf32>
  memref.copy %m, %new : memref<4xf32> to memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  %inc = arith.addi %i, %one : index
  cf.br ^loop
^exit:
  memref.dealloc %m : memref<4xf32>
  return
}

func.func @label(%c: i1, %x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %x, %b : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.dealloc %b : memref<4xf32>
  cf.br ^bb3(%a : memref<4xf32>)
^bb2:
  memref.dealloc %a : memref<4xf32>
  cf.br ^bb3(%b : memref<4xf32>)
^bb3:
  // expected-error @below [undefined-value] {{'%m' is not defined}}
  memref.dealloc %m : memref<4xf32>
  return
}

func.func @else(%c: i1, %b: memref<4xf32>) {
  %r = scf.if %c -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %b, %a : memref<4xf32> to memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %b, %a : memref<4xf32> to memref<4xf32>
  }
  memref.dealloc %r : memref<4xf32>
  return
}

func.func @round(%n: index, %i: index, %x: memref<4xf32>) {
  %y = memref.alloc() : memref<4xf32>
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  %r = scf.for %k = %i to %n step %i iter_args(%m = %y) -> (memref<4xf32>) {
    %new = memref.alloc() : memref<4xf32>
    memref.copy %m, %new : memref<4xf32> to memref<4xf32>
    memref.dealloc %m : memref<4xf32>
  }
  memref.dealloc %r : memref<4xf32>
  return
}

// Of what is freed twice before that, nothing changes.
func.func @wrong_before(%c: i1, %b: memref<4xf32>) {
  %r = scf.if %c -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    memref.dealloc %a : memref<4xf32>
    // expected-error @below [double-free] {{freed a second time}}
    memref.dealloc %a : memref<4xf32>
  } else {
    scf.yield %b : memref<4xf32>
  }
  return
}
