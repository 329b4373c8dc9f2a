// What happens in one round of a loop only, as its counter tells.

func.func @first(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %first = arith.cmpi eq, %i, %c0 : index
    scf.if %first {
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}

func.func @from_the_second_on(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @below [possible-leak] {{%a}}
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %later = arith.cmpi sgt, %i, %c0 : index
    scf.if %later {
      // expected-warning @below [possible-double-free] {{%a}}
      memref.dealloc %a : memref<4xf32>
    }
  }
  return
}

func.func @made_in_the_first(%n: index, %x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%b = %x) -> (memref<4xf32>) {
    %first = arith.cmpi eq, %i, %c0 : index
    %next = scf.if %first -> (memref<4xf32>) {
      %a = memref.alloc() : memref<4xf32>
      scf.yield %a : memref<4xf32>
    } else {
      scf.yield %b : memref<4xf32>
    }
    scf.yield %next : memref<4xf32>
  }
  %some = arith.cmpi sgt, %n, %c0 : index
  scf.if %some {
    memref.dealloc %last : memref<4xf32>
  }
  return
}
