// A branch to a block that is not written yet: what lies there nobody knows, so nothing is certain on that path.

func.func @not_written_yet(%c: i1, %i: index, %v: i64) {
  %a = memref.alloc() : memref<4xi64>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.dealloc %a : memref<4xi64>
  cf.br ^bb2
^bb2:
  // expected-warning @below [possible-use-after-free] {{%a}}
  memref.store %v, %a[%i] : memref<4xi64>
  // expected-error @below [undefined-block] {{'^next'}}
  cf.br ^next
}

func.func @one_of_two(%c: i1, %d: i1, %i: index, %v: i64) {
  %a = memref.alloc() : memref<4xi64>
  memref.store %v, %a[%i] : memref<4xi64>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.dealloc %a : memref<4xi64>
  cf.br ^bb2
^bb2:
  // expected-error @below [undefined-block] {{'^next'}}
  cf.cond_br %d, ^next, ^bb3
^bb3:
  // expected-warning @below [possible-double-free] {{%a}}
  memref.dealloc %a : memref<4xi64>
  return
}

func.func @half_a_branch(%c: i1, %d: i1, %i: index, %v: i64) {
  %a = memref.alloc() : memref<4xi64>
  memref.store %v, %a[%i] : memref<4xi64>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.dealloc %a : memref<4xi64>
  cf.br ^bb2
^bb2:
  cf.cond_br %d, ^bb3
^bb3:
  // expected-warning @below [possible-double-free] {{%a}}
  memref.dealloc %a : memref<4xi64>
  return
}

func.func @certain_before(%i: index, %v: i64) {
  %a = memref.alloc() : memref<4xi64>
  memref.store %v, %a[%i] : memref<4xi64>
  memref.dealloc %a : memref<4xi64>
  // expected-error @below [use-after-free] {{%a}}
  memref.store %v, %a[%i] : memref<4xi64>
  // expected-error @below [undefined-block] {{'^next'}}
  cf.br ^next
}
